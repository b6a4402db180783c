import type { EmailListItem } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { resolveDomain } from '../../lib/domain/resolve.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseInteger } from '../../lib/numbers.ts';
import { type Column, list, type Page, status, time } from '../../lib/output/result.ts';
import { allPages, onePage } from '../../lib/paging.ts';
import { repeatableOption } from '../../lib/repeatable.ts';

export const command = defineCommand({
  lists: true,
  examples: [
    ['mailer email list', 'The newest emails'],
    ['mailer email list --domain example.com --since "2 days ago" --all --csv', 'As a spreadsheet'],
  ],
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
    if (options.all === true && options.page !== undefined) {
      throw new UsageError('--all and --page cannot be used together');
    }
    const { limit = limits.emailsPerPage.default } = options;
    const filters = {
      ...(options.limit === undefined ? {} : { limit }),
      ...(await bounds(context, options)),
      ...(await domainFilter(context, options.domain)),
    };
    const fetch = async (page: number): Promise<Page<EmailListItem>> => {
      const reply = await context.call('email.list', { query: { page, ...filters } });
      return { reply, rows: reply.data };
    };
    const id = ({ id }: EmailListItem) => id;
    const first = options.page ?? 1;
    const more = ({ rows }: Page<EmailListItem>) => rows.length >= limit;
    return list<EmailListItem>({
      pages: options.all === true ? allPages({ first, fetch, more, id }) : onePage(fetch, first),
      joinPages: options.all === true,
      rowsIn: 'data',
      columns,
      id,
      empty: 'No emails.',
      note: (page) => (options.all === true ? undefined : pageNote(page, first, limit)),
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

async function bounds(
  context: Context,
  { since, until }: { since?: string | undefined; until?: string | undefined },
) {
  if (!since && !until) return {};
  const { resolveWhen, toUtcSeconds } = await import('../../lib/when.ts');
  const timeZone = await context.timeZone();
  const now = context.system.now();
  const resolve = (text: string, flag: string) =>
    toUtcSeconds(resolveWhen(text, { now, timeZone, flag, direction: 'past' }));
  const startDate = since ? resolve(since, '--since') : undefined;
  const endDate = until ? resolve(until, '--until') : undefined;
  if (startDate && endDate && startDate > endDate) {
    throw new UsageError(`--since (${startDate}) is after --until (${endDate})`);
  }
  return { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) };
}

async function domainFilter(context: Context, names: readonly string[] | undefined) {
  if (names === undefined) return {};
  const ids = await Promise.all(names.map((name) => resolveDomain(context, name)));
  return { domainId: ids.map(({ id }) => id) };
}

function pageNote({ reply, rows }: Page<EmailListItem>, page: number, limit: number) {
  // The reply that `fetch` above has put there.
  const { count } = reply as { count?: number | null };
  if (typeof count !== 'number' || count <= (page - 1) * limit + rows.length) return undefined;
  return `${rows.length} of ${count}. Next: --page ${page + 1}, or --all`;
}
