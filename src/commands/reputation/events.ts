import { limits } from '../../api/limits.ts';
import type { ReputationEvent } from '../../api/reputation.ts';
import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { parseInteger } from '../../lib/numbers.ts';
import { type Column, list, status, time } from '../../lib/output/result.ts';
import { onePage } from '../../lib/paging.ts';

export const command = defineCommand({
  lists: true,
  examples: [
    ['mailer reputation events', 'How the deliverability state has changed, newest first'],
    ['mailer reputation events --since "30 days ago" --json', 'The last month, for a script'],
  ],
  flags: (command) =>
    command
      .option(
        '--limit <n>',
        'events to ask for, 1 to 200 (default: 50, with --since 200)',
        parseInteger('--limit', limits.reputationEvents),
      )
      .option('--since <when>', 'at or after: ISO 8601, yesterday, "30 days ago"'),
  async run(context, options) {
    const since = options.since ? await startOf(options.since, context) : undefined;
    const limit = options.limit ?? (since === undefined ? undefined : limits.reputationEvents.max);
    let full = false;
    const fetch = async () => {
      const query = limit === undefined ? {} : { limit };
      const events = await context.call('reputation.events', { query });
      const rows = events.filter(({ createdAt }) => isSince(createdAt, since));
      full = limit !== undefined && rows.length >= limit;
      return { reply: rows, rows };
    };
    return list<ReputationEvent>({
      pages: onePage(fetch, 1),
      rowsIn: undefined,
      columns,
      id: ({ id }) => id,
      empty: 'No changes of the deliverability state.',
      note: () =>
        since !== undefined && full
          ? `Only the newest ${limit} were asked for; there may be more since then.`
          : undefined,
    });
  },
});

const columns: readonly Column<ReputationEvent>[] = [
  { field: 'createdAt', header: 'When', cell: ({ createdAt }) => time(createdAt) },
  { field: 'fromState', header: 'From', cell: ({ fromState }) => status(fromState) },
  { field: 'toState', header: 'To', cell: ({ toState }) => status(toState) },
  { field: 'bounceRate', header: 'Bounce rate', cell: ({ bounceRate }) => percent(bounceRate) },
  { field: 'sampleSize', header: 'Sample', cell: ({ sampleSize }) => sampleSize },
  { field: 'actor', header: 'Actor', cell: ({ actor }) => actor },
  { field: 'reason', header: 'Reason', cell: ({ reason }) => reason, flexible: true },
];

function percent(rate: number | null | undefined): string | undefined {
  return typeof rate === 'number' ? `${rate}%` : undefined;
}

/** Milliseconds since 1970. */
async function startOf(text: string, context: Context): Promise<number> {
  const { resolveWhen } = await import('../../lib/when.ts');
  const timeZone = await context.timeZone();
  const now = context.system.now();
  return resolveWhen(text, { now, timeZone, flag: '--since', direction: 'past' }).getTime();
}

/** A time that cannot be read keeps its event in the list. */
function isSince(createdAt: string, since: number | undefined): boolean {
  return since === undefined || !(Date.parse(createdAt) < since);
}
