import { limits } from '../../api/limits.ts';
import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { emailQuery, filtersHere } from '../../lib/runs/find/email-query.ts';
import { addFindFlags, findOffers, maxScannedFlag } from '../../lib/runs/find/find-flags.ts';
import { foundList } from '../../lib/runs/find/found-list.ts';
import { pageList } from '../../lib/runs/find/page-list.ts';

export const command = defineCommand({
  description:
    'It shows one page; --all shows every page, as it arrives. The service filters by time and domain only; mailer applies the other filters to its pages. Then --limit counts the emails that are shown, and without --since, --all, --run or --campaign, mailer looks through only the newest 5,000. The status is the highest that any recipient has reached. With both --since and --until, rows older than --since are removed if the service returns them, and the count is corrected.',
  effects: { reads: true },
  exits: {
    4: 'there is no such domain, run or campaign, or the service does not report the status',
  },
  prints: [
    replyOf('email.list', {
      what: "the service's response to `GET /v1/emails`; with both `--since` and `--until`, rows older than `--since` are removed from `data` and `count`, because services may ignore `--since` then; with a filter that mailer applies, `data` and `count` are those of the emails that match; with `--events`, each has the details of its last event",
      schema: schemas.found('foundEmails'),
      line: schemas.found('foundEmail'),
    }),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer email list': 'The newest emails',
    'mailer email list --failed --since yesterday --events': 'What failed, and why',
    'mailer email list --to "*@example.org" --status OPENED CLICKED': 'Who has read it',
    'mailer email list --campaign "News of March" --all': 'Who has got a campaign',
    'mailer email list --domain example.com --since "2 days ago" --all --csv': 'As a spreadsheet',
  },
  offers: findOffers,
  flags: (command) =>
    addFindFlags(command)
      .optionsGroup('Flags:')
      .option('--page <n>', 'page, from 1', parseInteger('--page', { min: 1 }))
      .option(
        '--limit <n>',
        'emails per page, 1 to 50; with filters, emails to show',
        parseInteger('--limit', { min: limits.emailsPerPage.min }),
      )
      .option('--all', 'every page')
      .option(...maxScannedFlag),
  async run(context, options) {
    const filters = filtersHere(options);
    const [first] = filters;
    if (options.page !== undefined && options.all === true) {
      throw new UsageError('--all and --page cannot be used together');
    }
    if (options.page !== undefined && first !== undefined) {
      throw new UsageError(`--page and ${first} cannot be used together`, {
        hint: `The service does not filter by ${first}, so the matches have no pages. Use --limit or --all.`,
      });
    }
    if (options.maxScanned !== undefined && first === undefined) {
      throw new UsageError('--max-scanned needs a filter such as --status');
    }
    if (first === undefined && options.limit !== undefined) {
      parseInteger('--limit', limits.emailsPerPage)(String(options.limit));
    }
    const query = await emailQuery(context, options);
    return first === undefined
      ? pageList(context, query, options)
      : foundList(context, query, options);
  },
});
