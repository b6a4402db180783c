import { limits } from '../../api/limits.ts';
import type { ReputationDay } from '../../api/reputation.ts';
import { schemas } from '../../json-schemas/load.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defined } from '../../lib/base/json/defined.ts';
import { percentage } from '../../lib/base/text/percent.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { type Column, list } from '../../lib/command-line/output/result.ts';
import { resolveDomainIds } from '../../lib/domains/domain/find-domain.ts';

export const command = defineCommand({
  description:
    'It shows the days with mail, in UTC. On a terminal, there is a plot of the bounce rate.',
  effects: { reads: true },
  exits: { 4: 'the service does not report the reputation of accounts' },
  prints: [replyOf('reputation.history', { line: schemas.reputation('reputationDay') })],
  takes: ['service', 'sandbox', 'lists'],
  examples: {
    'mailer reputation history': 'The bounce rate of each of the last 30 days',
    'mailer reputation history --days 90 --domain example.com --csv': 'For a spreadsheet',
  },
  flags: (command) =>
    command
      .option(
        '--days <n>',
        'number of days, 1 to 90 (default: 30)',
        parseInteger('--days', limits.reputationDays),
      )
      .option('--domain <domain>', 'only this domain: id or name'),
  async run(context, { days, domain }) {
    const [domainId] = domain ? await resolveDomainIds(context, [domain]) : [];
    const rows = await context.call('reputation.history', { query: defined({ days, domainId }) });
    return list<ReputationDay>({
      pages: [{ rows }],
      columns,
      id: ({ date }) => date,
      above: async (shown, style, width) => {
        const { plotDays } = await import('../../lib/command-line/reputation/day-plot.ts');
        const values = shown.map(({ date, bounceRate }) => ({ date, value: bounceRate }));
        return plotDays(values, { title: 'Bounce rate per day', unit: '%' }, style, width);
      },
      empty: 'No mail in this time.',
    });
  },
});

const columns: readonly Column<ReputationDay>[] = [
  { field: 'date', header: 'Date' },
  { field: 'delivered', header: 'Delivered' },
  { field: 'hardBounced', header: 'Hard bounced' },
  { field: 'complained', header: 'Complained' },
  { field: 'bounceRate', header: 'Bounce rate', cell: ({ bounceRate }) => percentage(bounceRate) },
  {
    field: 'complaintRate',
    header: 'Complaint rate',
    cell: ({ complaintRate }) => percentage(complaintRate),
  },
];
