import { limits } from '../../api/limits.ts';
import type { ReputationEvent } from '../../api/reputation.ts';
import { reputationStates } from '../../api/reputation-states.ts';
import { schemas } from '../../json-schemas/load.ts';
import { WaitFailedError } from '../../lib/base/errors.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { servicePeriodBound } from '../../lib/command-line/command/flags/scheduled-time.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { type Column, list, status, time } from '../../lib/command-line/output/result.ts';
import {
  closing,
  parseStates,
  refuseUnknown,
  stateReason,
  timeOf,
  unknownNewest,
} from '../../lib/command-line/reputation/reputation-gate.ts';

export const command = defineCommand({
  description:
    "On a terminal, there is a plot of the bounce rate at each change. With --fail-on, it can stop a deploy: it fails if the account's newest state is one of those named.",
  effects: { reads: true },
  exits: {
    4: 'the service does not offer reputation events',
    9: 'with --fail-on: the newest state is one of those named',
  },
  prints: [replyOf('reputation.events', { line: schemas.reputation('reputationEvent') })],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer reputation events': 'How the deliverability state has changed, newest first',
    'mailer reputation events --since "30 days ago" --json': 'The last month, for a script',
    'mailer reputation events --fail-on CRITICAL BLOCKED': 'In CI: stop before a campaign is sent',
  },
  flags: (command) =>
    command
      .option(
        '--limit <n>',
        'events to request, 1 to 200 (default: 50, or 200 with --since)',
        parseInteger('--limit', limits.reputationEvents),
      )
      .option('--since <when>', 'at or after: ISO 8601, yesterday, 30d')
      .addOption(
        repeatableOption(
          '--fail-on <state...>',
          `exit with 9 if the newest state is one of these, even if --since leaves it out: ${reputationStates.join(', ')}`,
          reputationStates,
        ),
      ),
  async run(context, options) {
    const states = options.failOn === undefined ? undefined : parseStates(options.failOn);
    const since = options.since ? await startOf(options.since, context) : undefined;
    const limit = options.limit ?? (since === undefined ? undefined : limits.reputationEvents.max);
    // `--limit` and `--since` must not hide the newest state from `--fail-on`: it examines all available
    // events, in any order.
    const asked = states === undefined ? limit : limits.reputationEvents.max;
    const events = await context.call('reputation.events', {
      query: asked === undefined ? {} : { limit: asked },
    });
    if (states !== undefined) {
      const own = events.flatMap(({ fromState, toState }) => [fromState, toState]);
      refuseUnknown(states, own, 'is neither a known state nor one this account has been in');
    }
    const closedBy = states === undefined ? undefined : closing(events, states);
    const unknown =
      states === undefined || closedBy !== undefined ? undefined : unknownNewest(events);
    if (unknown !== undefined) {
      context.notes.warn(
        `mailer does not know the newest state, ${JSON.stringify(unknown.toState)}. --fail-on ignores it.`,
      );
    }
    const listed =
      states === undefined ? events : events.slice(0, limit ?? limits.reputationEvents.default);
    const rows = listed.filter((event) => isSince(event, since));
    const more =
      since !== undefined && limit !== undefined && rows.length >= limit
        ? `Only the newest ${limit} were requested; there may be more since then.`
        : undefined;
    return list<ReputationEvent>({
      pages: [{ rows }],
      columns,
      id: ({ id }) => id,
      above: async (rows, style, width) => {
        const { plotEvents } = await import('../../lib/command-line/reputation/plot.ts');
        return plotEvents(rows, style, width);
      },
      empty: `No changes of the deliverability state${events.length === 0 ? '' : ' since then'}.`,
      note: () => more,
      failure: closedBy && new WaitFailedError(stateReason(closedBy)),
    });
  },
});

const columns: readonly Column<ReputationEvent>[] = [
  { field: 'createdAt', header: 'When', cell: ({ createdAt }) => time(createdAt) },
  { field: 'fromState', header: 'From', cell: ({ fromState }) => status(fromState) },
  { field: 'toState', header: 'To', cell: ({ toState }) => status(toState) },
  { field: 'bounceRate', header: 'Bounce rate', cell: ({ bounceRate }) => percent(bounceRate) },
  { field: 'sampleSize', header: 'Sample' },
  { field: 'actor', header: 'Actor' },
  { field: 'reason', header: 'Reason', flexible: true },
];

function percent(rate: number | null | undefined): string | undefined {
  return typeof rate === 'number' ? `${rate}%` : undefined;
}

/** The time in milliseconds since 1970. */
async function startOf(text: string, context: Context): Promise<number> {
  return Number(await servicePeriodBound(text, context, '--since'));
}

/** An event whose time cannot be read stays in the list. */
function isSince(event: ReputationEvent, since: number | undefined): boolean {
  return since === undefined || !(timeOf(event) < since);
}
