import type { EmailListItem } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import { defineCommand } from '../../lib/command/command.ts';
import type { Context } from '../../lib/command/context.ts';
import { repeatableOption } from '../../lib/command/flags/repeatable.ts';
import { timeGiven } from '../../lib/command/flags/scheduled-time.ts';
import { replyOf } from '../../lib/command/prints.ts';
import { resolveDomainIds } from '../../lib/domain/find-domain.ts';
import { type EmailFilter, totalCount, withinPeriod } from '../../lib/email/period.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseInteger } from '../../lib/input/numbers.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { countAt } from '../../lib/output/count-at.ts';
import { allPages, moreByCount, onePage, type PagingProgress } from '../../lib/output/paging.ts';
import { type Column, type ListPage, list, status, time } from '../../lib/output/result.ts';
import { toUtcSeconds } from '../../lib/text/local-time.ts';

export const command = defineCommand({
  description:
    'It shows one page; --all shows every page, as it arrives. With both --since and --until, rows older than --since are removed if the service returns them, and the count is corrected.',
  effects: { reads: true },
  prints: [
    replyOf('email.list', {
      what: "the service's response to `GET /v1/emails`; with both `--since` and `--until`, rows older than `--since` are removed from `data` and `count`, because services may ignore `--since` then",
      line: schemas.emails('emailListItem'),
    }),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: [
    ['mailer email list', 'The newest emails'],
    ['mailer email list --domain example.com --since "2 days ago" --all --csv', 'As a spreadsheet'],
  ],
  offers: { '--domain': 'domains' },
  flags: (command) =>
    command
      .option('--page <n>', 'page, from 1', parseInteger('--page', { min: 1 }))
      .option(
        '--limit <n>',
        'emails per page, 1 to 50',
        parseInteger('--limit', limits.emailsPerPage),
      )
      .option('--since <when>', 'created at or after: ISO 8601, yesterday, 2d')
      .option('--until <when>', 'created at or before')
      .addOption(repeatableOption('--domain <id or name>', 'sent from this domain; repeat'))
      .option('--all', 'every page'),
  async run(context, options) {
    const all = options.all === true;
    if (all && options.page !== undefined) {
      throw new UsageError('--all and --page cannot be used together');
    }
    const { limit = limits.emailsPerPage.default } = options;
    const filter: EmailFilter = {
      ...(await bounds(context, options)),
      ...(await domainFilter(context, options.domain)),
    };
    // The requested pages fit together only if all have the same, known size.
    const size = all || options.limit !== undefined ? { limit } : {};
    const within = withinPeriod(context, filter);
    let reachedSince = false;
    const fetch = async (page: number): Promise<ListPage<EmailListItem>> => {
      const reply = await context.call('email.list', { query: { page, ...size, ...filter } });
      const result = await within(reply);
      // Emails come newest first, so all that follow are older still.
      reachedSince ||= result.rows.length < reply.data.length;
      return result;
    };
    const id = ({ id }: EmailListItem) => id;
    const count = ({ rest }: ListPage<EmailListItem>) => totalCount(rest);
    const first = options.page ?? 1;
    const more = (result: ListPage<EmailListItem>, _page: number, progress: PagingProgress) => {
      if (reachedSince) return false;
      const rows = result.rows.length;
      const total = count(result);
      if (total === undefined) return rows >= limit;
      if (rows === 0 && progress.received < total) {
        context.notes.warn(
          `The service counts ${countAt(result.rest, 'count')} emails, but its pages end after ${progress.received}: the list may be incomplete.`,
        );
      }
      return moreByCount(total, { rows, full: limit }, progress);
    };
    return list<EmailListItem>({
      pages: all ? allPages({ first, fetch, more, id, count }) : onePage(fetch, first),
      joinPages: all,
      rowsIn: 'data',
      columns,
      id,
      empty: (page) => pastTheEnd(page, first, limit) ?? 'No emails.',
      note: (page) => (all || reachedSince ? undefined : pageNote(page, first, limit)),
    });
  },
});

const columns: readonly Column<EmailListItem>[] = [
  { field: 'id', header: 'Id', cell: ({ id }) => id },
  { field: 'latestStatus', header: 'Status', cell: ({ latestStatus }) => status(latestStatus) },
  { field: 'to', header: 'To', cell: ({ to }) => to, flexible: true },
  { field: 'subject', header: 'Subject', cell: ({ subject }) => subject, flexible: true },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
  {
    field: 'scheduledAt',
    header: 'Scheduled',
    cell: (row) => (isScheduled(row) ? time(row.scheduledAt) : undefined),
    onlyFor: isScheduled,
  },
];

/** Whether the email is still to be sent. Services keep `scheduledAt` afterwards. */
function isScheduled({ latestStatus, scheduledAt }: EmailListItem): boolean {
  return typeof scheduledAt === 'string' && (latestStatus ?? 'SCHEDULED') === 'SCHEDULED';
}

async function bounds(
  context: Context,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): Promise<EmailFilter> {
  if (!since && !until) return {};
  const resolve = async (text: string, flag: string) =>
    toUtcSeconds((await timeGiven(text, context, { flag, direction: 'past' })).date);
  const startDate = since ? await resolve(since, '--since') : undefined;
  const endDate = until ? await resolve(until, '--until') : undefined;
  if (startDate && endDate && startDate > endDate) {
    throw new UsageError(`--since (${startDate}) is after --until (${endDate})`);
  }
  return { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
}

async function domainFilter(context: Context, names: readonly string[] | undefined) {
  if (names === undefined) return {};
  return { domainId: await resolveDomainIds(context, names) };
}

/** Says that the page does not exist, if it has no rows and the service counts emails. */
function pastTheEnd(page: ListPage<EmailListItem> | undefined, number: number, limit: number) {
  const count = totalCount(page?.rest);
  if (!count || count > (number - 1) * limit) return undefined;
  const last = Math.ceil(count / limit);
  return `Page ${number} is past the end: ${countAt(page?.rest, 'count')} ${count === 1 ? 'email' : 'emails'}, last page ${last}.`;
}

function pageNote({ rest, rows }: ListPage<EmailListItem>, page: number, limit: number) {
  const count = totalCount(rest);
  if (count === undefined || count <= (page - 1) * limit + rows.length) return undefined;
  return `${rows.length} of ${countAt(rest, 'count')}. Next: --page ${page + 1}, or --all`;
}
