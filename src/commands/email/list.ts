import type { EmailListItem } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { resolveDomainIds } from '../../lib/domain/resolve.ts';
import { UsageError } from '../../lib/errors.ts';
import { withExactNumbers } from '../../lib/exact-numbers.ts';
import { parseInteger } from '../../lib/numbers.ts';
import { isObject } from '../../lib/output/fields.ts';
import { type Column, list, type Page, status, time } from '../../lib/output/result.ts';
import { allPages, moreByCount, onePage, type Progress } from '../../lib/paging.ts';
import { repeatableOption } from '../../lib/repeatable.ts';

export const command = defineCommand({
  lists: true,
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
      .option('--since <when>', 'created at or after: ISO 8601, yesterday, "2 days ago"')
      .option('--until <when>', 'created at or before')
      .addOption(repeatableOption('--domain <id or name>', 'sent from this domain; repeat'))
      .option('--all', 'every page'),
  async run(context, options) {
    const all = options.all === true;
    if (all && options.page !== undefined) {
      throw new UsageError('--all and --page cannot be used together');
    }
    if (all) context.system.saveMemory();
    const { limit = limits.emailsPerPage.default } = options;
    const period = await bounds(context, options);
    const filters = {
      // All pages fit together only if the service does not choose their size.
      ...(all || options.limit !== undefined ? { limit } : {}),
      ...period,
      ...(await domainFilter(context, options.domain)),
    };
    const isTooOld = tooOld(period);
    let reachedSince = false;
    const fetch = async (page: number): Promise<Page<EmailListItem>> => {
      const reply = await context.call('email.list', { query: { page, ...filters } });
      const rows = reply.data.filter((email) => !isTooOld(email));
      if (rows.length === reply.data.length) return { reply, rows };
      // The newest come first: all that follows is older still.
      reachedSince = true;
      return { reply: withRows(reply, rows), rows };
    };
    const id = ({ id }: EmailListItem) => id;
    const count = ({ reply }: Page<EmailListItem>) => countOf(reply);
    const first = options.page ?? 1;
    const more = (result: Page<EmailListItem>, _page: number, progress: Progress) => {
      if (reachedSince) return false;
      const rows = result.rows.length;
      const total = count(result);
      if (total === undefined) return rows >= limit;
      if (rows === 0 && progress.received < total) {
        context.notes.warn(
          `The service counts ${total} emails, but its pages end after ${progress.received}: the list may lack some.`,
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
      empty: 'No emails.',
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
];

/** Bounds of the creation time, in UTC. */
interface Period {
  readonly startDate?: string;
  readonly endDate?: string;
}

async function bounds(
  context: Context,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): Promise<Period> {
  if (!since && !until) return {};
  const { resolveWhen, toUtcSeconds } = await import('../../lib/when.ts');
  const timeZone = await context.timeZone();
  const now = (await context.clock())();
  const resolve = (text: string, flag: string) =>
    toUtcSeconds(resolveWhen(text, { now, timeZone, flag, direction: 'past' }));
  const startDate = since ? resolve(since, '--since') : undefined;
  const endDate = until ? resolve(until, '--until') : undefined;
  if (startDate && endDate && startDate > endDate) {
    throw new UsageError(`--since (${startDate}) is after --until (${endDate})`);
  }
  return { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
}

/** Which emails are before the period: one server ignores its start when it has an end too. */
function tooOld({ startDate, endDate }: Period): (email: EmailListItem) => boolean {
  if (startDate === undefined || endDate === undefined) return () => false;
  const start = Date.parse(startDate);
  // A time that is missing or cannot be read is not before anything.
  return ({ createdAt }) => Date.parse(createdAt ?? '') < start;
}

/** The reply with only these of its rows, and all numbers as they came. */
function withRows(reply: object, rows: readonly EmailListItem[]): object {
  const exact = withExactNumbers(reply);
  return { ...(isObject(exact) ? exact : reply), data: rows.map((row) => withExactNumbers(row)) };
}

async function domainFilter(context: Context, names: readonly string[] | undefined) {
  if (names === undefined) return {};
  return { domainId: await resolveDomainIds(context, names) };
}

/** How many emails match in all, as far as the service says it. */
function countOf(reply: unknown): number | undefined {
  return isObject(reply) && typeof reply.count === 'number' ? reply.count : undefined;
}

function pageNote({ reply, rows }: Page<EmailListItem>, page: number, limit: number) {
  const count = countOf(reply);
  if (count === undefined || count <= (page - 1) * limit + rows.length) return undefined;
  return `${rows.length} of ${count}. Next: --page ${page + 1}, or --all`;
}
