import type { CampaignSummary } from '../../../api/campaign.ts';
import type { Context } from '../../command-line/command/context.ts';
import { chooseFields } from '../../command-line/output/chosen-fields.ts';
import {
  type Column,
  type ListPage,
  type ListResult,
  list,
  status,
  time,
} from '../../command-line/output/result.ts';
import { counterOf, counters } from './counters.ts';
import { type CampaignSnapshot, type CampaignWait, watchCampaign } from './watch-campaign.ts';
import { watchFailure } from './watch-result.ts';

/** Watches a campaign as a growing list: one row per change, always with the same columns. */
export function watchInLines(context: Context, wait: CampaignWait): ListResult {
  const { flags } = context;
  let last: CampaignSnapshot | undefined;
  const columns: readonly Column<CampaignSummary>[] = [
    {
      field: 'time',
      header: 'Time',
      cell: () => time(last && new Date(last.date).toISOString()),
      computed: true,
    },
    { field: 'status', header: 'Status', cell: (row) => status(row.status) },
    { field: 'scheduledAt', header: 'Scheduled', cell: (row) => time(row.scheduledAt) },
    { field: 'total', header: 'Total', cell: (row) => counterOf(row, 'total') },
    ...counters.map(({ field, label }) => ({
      field,
      header: label,
      cell: (row: CampaignSummary) => counterOf(row, field),
    })),
  ];
  const names = flags.fields ?? columns.map(({ field }) => field);
  const shown = chooseFields(names, { columns, known: undefined });
  // A new time alone is not a change.
  const watched = shown.filter(({ name }) => name !== 'time');
  async function* changes(): AsyncGenerator<ListPage<CampaignSummary>> {
    let printed: string | undefined;
    for await (last of watchCampaign(context, wait)) {
      wait.waiting.report('');
      const { campaign } = last;
      const state = JSON.stringify(watched.map(({ valueIn }) => valueIn(campaign)));
      if (state === printed) continue;
      printed = state;
      yield { rows: [campaign] };
    }
  }
  return list<CampaignSummary>({
    pages: changes(),
    columns,
    id: ({ id }) => id,
    empty: '',
    failure: () => last?.ending && watchFailure(context, wait, last.campaign, last.ending),
  });
}
