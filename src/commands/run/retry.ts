import { printedOfRun } from '../../json-schemas/printed-of-run.ts';
import { defined } from '../../lib/base/json/defined.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { allowEmptyFlag } from '../../lib/command-line/command/flags/allow-empty.ts';
import { expectFlag } from '../../lib/command-line/command/flags/expect-flag.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { literalFlag } from '../../lib/mail/content/literal-flag.ts';
import { addSendingFlags } from '../../lib/runs/bulk/flags.ts';
import { offerRuns } from '../../lib/runs/bulk/show/offer-runs.ts';
import { retryStatuses } from '../../lib/runs/retry/retry-statuses.ts';

export const command = defineCommand({
  description:
    'It starts a new run of the rows with the status in --status, with the flags of the first run. The service is asked for the status of each email: an email that is delivered, on its way, bounced permanently, complained about or suppressed is never sent again. The rows are read from the file of the run, or from a corrected copy (--file): they are matched by number and recipient, and only an invalid row may get another recipient. On a terminal, it asks before it sends; elsewhere, it needs --yes.',
  effects: { mails: true, local: true },
  exits: {
    2: 'no such rows, an incomplete run, or a file or flags that have changed; nothing was sent',
    4: 'there is no such run',
    9: 'with --wait: an email failed',
    10: 'with --wait: the wait timed out for some emails',
    11: 'rows were rejected or left out, or their outcome is unknown',
  },
  prints: printedOfRun,
  takes: ['service', 'sandbox', 'lists', 'dry runs', 'approval', 'confirmation', 'times', 'files'],
  examples: {
    'mailer run retry @last --status bounced-transient':
      'Send again to full mailboxes and busy servers',
    'mailer run retry 0bddde44 --status invalid rejected --file fixed.csv':
      'Send rows that you have corrected',
  },
  offers: { run: offerRuns },
  flags: (command) =>
    addSendingFlags(
      command
        .argument('<run>', 'name or prefix; @last for the newest of this account')
        .optionsGroup('Rows:')
        .addOption(
          repeatableOption(
            '--status <status...>',
            `which rows to send again: ${retryStatuses.join(', ')}`,
            retryStatuses,
          ),
        )
        .option('--file <path>', 'the corrected input, with its rows in the same order')
        .option('--skip-invalid', 'leave out invalid rows, send the others')
        .option(...literalFlag)
        .option(...allowEmptyFlag)
        .option(...expectFlag),
    ),
  async recordedFlags(place, named) {
    const { recordedRun } = await import('../../lib/runs/bulk/journal/recorded-run.ts');
    const { recordedCommon } = await import('../../lib/runs/bulk/journal/recorded-line.ts');
    const { line } = (await recordedRun(place, named)).header;
    const { timezone, encoding } = line.content ?? {};
    return { ...recordedCommon(place, line), ...defined({ timezone, encoding }) };
  },
  async run(context, options, named) {
    const { recordedRun } = await import('../../lib/runs/bulk/journal/recorded-run.ts');
    const run = await recordedRun(context, named);
    const { retryRun } = await import('../../lib/runs/retry/run.ts');
    return await retryRun(context, options, run);
  },
});
