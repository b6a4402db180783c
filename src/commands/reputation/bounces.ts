import { limits } from '../../api/limits.ts';
import type { BounceShare } from '../../api/reputation.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defined } from '../../lib/base/json/defined.ts';
import { percentage } from '../../lib/base/text/percent.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { type Column, record, section } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'It counts hard bounces, one for each recipient, by domain and by reason, the most frequent first.',
  effects: { reads: true },
  exits: { 4: 'the service does not report the reputation of accounts' },
  prints: [replyOf('reputation.bounces')],
  takes: ['service', 'sandbox'],
  examples: {
    'mailer reputation bounces': 'The domains and reasons of hard bounces',
    'mailer reputation bounces --days 7 --limit 3': 'The last week, with the top three of each',
  },
  quiet: 'only the number of hard bounces',
  flags: (command) =>
    command
      .option(
        '--days <n>',
        'number of days, 1 to 90 (default: 30)',
        parseInteger('--days', limits.reputationDays),
      )
      .option(
        '--limit <n>',
        'how many domains and reasons to show, 1 to 50 each (default: 10)',
        parseInteger('--limit', limits.bounceShares),
      ),
  async run(context, { days, limit }) {
    const reply = await context.call('reputation.bounces', { query: defined({ days, limit }) });
    return record({
      reply,
      rows: [
        ['days', 'Days', reply.days],
        ['totalHardBounces', 'Hard bounces', reply.totalHardBounces],
      ],
      sections: [
        section({
          title: "By the recipient's domain",
          field: 'byDomain',
          columns: columnsOf('Domain'),
          rows: reply.byDomain,
          empty: 'None.',
        }),
        section({
          title: 'By reason',
          field: 'byReason',
          columns: columnsOf('Reason'),
          rows: reply.byReason,
          empty: 'None.',
        }),
      ],
      quiet: String(reply.totalHardBounces ?? ''),
    });
  },
});

function columnsOf(header: string): readonly Column<BounceShare>[] {
  return [
    { field: 'key', header, flexible: true },
    { field: 'count', header: 'Bounces' },
    { field: 'share', header: 'Share', cell: ({ share }) => percentage(share) },
  ];
}
