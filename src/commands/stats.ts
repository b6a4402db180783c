import type { DayCounts, MailCounts } from '../api/stats.ts';
import { statsDays } from '../api/stats-days.ts';
import { schemas } from '../json-schemas/load.ts';
import { UsageError } from '../lib/base/errors.ts';
import { percentage, share } from '../lib/base/text/percent.ts';
import { grouped } from '../lib/base/text/quantity.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import type { Context } from '../lib/command-line/command/context.ts';
import { choice } from '../lib/command-line/command/flags/choice.ts';
import type { CommonFlags } from '../lib/command-line/command/flags/common-flags.ts';
import { replyOf } from '../lib/command-line/command/prints.ts';
import { countAt } from '../lib/command-line/output/count-at.ts';
import { flagOf } from '../lib/command-line/output/format.ts';
import { type Column, list, record } from '../lib/command-line/output/result.ts';
import { resolveDomainIds } from '../lib/domains/domain/find-domain.ts';

export const command = defineCommand({
  description:
    'It counts emails by the day of each event, in UTC. On a terminal, there is a plot of the emails sent, and the totals with their rates.',
  effects: { reads: true },
  exits: { 4: 'there is no such domain, or the service does not offer statistics' },
  prints: [
    replyOf('stats.byDay', { line: schemas.stats('dayCounts') }),
    replyOf('stats.total', { when: '--total', line: null }),
  ],
  takes: ['service', 'sandbox', 'lists'],
  examples: {
    'mailer stats': 'What was sent and delivered in the last 7 days',
    'mailer stats --days 30 --domain example.com --csv': 'A row per day, for a spreadsheet',
    'mailer stats --total': 'The figures of all time',
  },
  flags: (command) =>
    command
      .addOption(
        choice('--days <7|30>', statsDays, 'number of days (default: 7)', { ifEmpty: '7' }),
      )
      .option('--domain <domain>', 'only this domain: id or name')
      .option('--total', 'deliveries, hard bounces and complaints of all time'),
  async run(context, options) {
    const { days = '7' } = options;
    if (options.total === true) refuseBesideTotal(context.flags, options.days);
    const ids = options.domain ? await resolveDomainIds(context, [options.domain]) : [];
    const [domainId] = ids;
    const query = domainId === undefined ? {} : { domainId };
    return options.total === true
      ? await inTotal(context, query)
      : await byDay(context, { days, ...query });
  },
});

/** The figures of all time are not a list, so flags for lists are an error. */
function refuseBesideTotal(flags: CommonFlags, days: string | undefined): void {
  const given = { days, jsonl: flags.jsonl, csv: flags.csvSafe ?? flags.csv };
  const [other] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (other === undefined) return;
  throw new UsageError(`--total and ${flagOf(other, flags)} cannot be used together`);
}

type Query = { days: (typeof statsDays)[number]; domainId?: number };

async function byDay(context: Context, query: Query) {
  const reply = await context.call('stats.byDay', { query });
  const rows = reply.result;
  const now = (await context.clock())();
  const iso = ({ date }: DayCounts) => isoDate(date, now);
  return list<DayCounts>({
    pages: [{ rows, rest: reply }],
    rowsIn: 'result',
    columns: [{ field: 'date', header: 'Date', cell: iso, computed: true }, ...countColumns],
    id: iso,
    above: async (_, style, width) => {
      const { plotDays } = await import('../lib/command-line/reputation/day-plot.ts');
      const values = rows.map(({ date, sent }) => ({ date, value: sent }));
      const plot = plotDays(values, { title: 'Emails sent per day', unit: '' }, style, width);
      return [...plot, ...(plot.length === 0 ? [] : ['']), ...sumsInWords(reply.totalCounts ?? {})];
    },
    empty: 'The service has no statistics for these days.',
  });
}

/** What is counted, and what each rate is a share of. */
const counted = [
  { field: 'sent', label: 'Sent', of: undefined },
  { field: 'delivered', label: 'Delivered', of: 'sent' },
  { field: 'opened', label: 'Opened', of: 'delivered' },
  { field: 'clicked', label: 'Clicked', of: 'delivered' },
  { field: 'bounced', label: 'Bounced', of: 'sent' },
  { field: 'complained', label: 'Complained', of: 'delivered' },
] as const;

const countColumns: readonly Column<DayCounts>[] = counted.map(({ field, label }) => ({
  field,
  header: label,
  cell: (row) => row[field],
}));

/** A past day such as `Jan 31`, which services write without its year, as `2026-01-31`; others as they are. */
function isoDate(date: string, now: number): string {
  const [, month = '', day = ''] = /^([A-Z][a-z]{2}) (\d{1,2})$/.exec(date) ?? [];
  if (!months.includes(month)) return date;
  const year = new Date(now).getUTCFullYear();
  const at = (of: number) => Date.UTC(of, months.indexOf(month), Number(day));
  // The service may be a day ahead.
  const isPast = at(year) <= now + 86_400_000;
  return new Date(at(isPast ? year : year - 1)).toISOString().slice(0, 10);
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The sums with their rates, one per line. */
function sumsInWords(total: MailCounts): string[] {
  const rows = counted.flatMap(({ field, label, of }) => {
    const count = total[field];
    if (typeof count !== 'number') return [];
    const rate = of && share(count, total[of]);
    return [
      {
        label,
        count: grouped(countAt(total, field) ?? ''),
        rate: rate === undefined ? '' : `${rate} of ${of}`,
      },
    ];
  });
  const width = Math.max(0, ...rows.map(({ count }) => count.length));
  return rows.map(({ label, count, rate }) =>
    `${label.padEnd(10)}  ${count.padStart(width)}  ${rate}`.trimEnd(),
  );
}

async function inTotal(context: Context, query: Omit<Query, 'days'>) {
  const reply = await context.call('stats.total', { query });
  return record({
    reply,
    rows: [
      ['delivered', 'Delivered', reply.delivered],
      ['hardBounced', 'Hard bounced', reply.hardBounced],
      ['complained', 'Complained', reply.complained],
      ['bounceRate', 'Bounce rate', percentage(reply.bounceRate)],
      ['complaintRate', 'Complaint rate', percentage(reply.complaintRate)],
    ],
    quiet: String(reply.bounceRate ?? ''),
  });
}
