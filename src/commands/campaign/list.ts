import type { CampaignSummary } from '../../api/campaign.ts';
import { campaignStatuses } from '../../api/campaign-status.ts';
import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defined } from '../../lib/base/json/defined.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { choice } from '../../lib/command-line/command/flags/choice.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { countAt } from '../../lib/command-line/output/count-at.ts';
import { onePage } from '../../lib/command-line/output/paging.ts';
import {
  type Column,
  type ListPage,
  list,
  status,
  time,
} from '../../lib/command-line/output/result.ts';
import {
  fetchCampaignPage,
  fetchCampaignPages,
  totalPages,
} from '../../lib/mail/campaign/campaign-pages.ts';
import { overdueNotes } from '../../lib/mail/campaign/overdue.ts';

export const command = defineCommand({
  description: 'It shows one page; --all shows every page, as it arrives.',
  effects: { reads: true },
  prints: [replyOf('campaign.list', { line: schemas.campaigns('campaignSummary') })],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer campaign list': 'The newest campaigns',
    'mailer campaign list --status DRAFT --all --quiet': 'The ids of all drafts',
    'mailer campaign list --search march': 'Those with "march" in name or subject',
  },
  flags: (command) =>
    command
      .option('--page <n>', 'page, from 1', parseInteger('--page', { min: 1 }))
      .addOption(
        choice('--status <status>', campaignStatuses, 'only with this status', {
          ifEmpty: undefined,
        }),
      )
      .option('--search <text>', 'part of name or subject')
      .option('--all', 'every page'),
  async run(context, options) {
    if (options.all === true && options.page !== undefined) {
      throw new UsageError('--all and --page cannot be used together');
    }
    const filter = defined({
      status: options.status || undefined,
      search: options.search || undefined,
    });
    const first = options.page ?? 1;
    const fetch = (page: number) => fetchCampaignPage(context, filter, page);
    const overdue: string[] = [];
    async function* noting(pages: AsyncIterable<ListPage<CampaignSummary>>) {
      for await (const page of pages) {
        const now = context.serviceNow();
        overdue.push(...page.rows.flatMap((row) => overdueNotes(row, now)));
        yield page;
      }
    }
    return list<CampaignSummary>({
      pages: noting(
        options.all === true ? fetchCampaignPages(context, filter) : onePage(fetch, first),
      ),
      joinPages: options.all === true,
      rowsIn: 'campaigns',
      columns,
      id: ({ id }) => id,
      empty: (page) => pastTheEnd(page, first) ?? 'No campaigns.',
      note: (page) => [...overdue, ...(options.all === true ? [] : pageNote(page, first))],
    });
  },
});

const columns: readonly Column<CampaignSummary>[] = [
  { field: 'id', header: 'Id' },
  { field: 'name', header: 'Name', flexible: true },
  { field: 'status', header: 'Status', cell: (row) => status(row.status) },
  { field: 'sent', header: 'Sent' },
  { field: 'total', header: 'Total' },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
];

/** Says that the page does not exist, if it has no rows and the service counts pages. */
function pastTheEnd(page: ListPage<CampaignSummary> | undefined, number: number) {
  const total = page && totalPages(page);
  return total && number > total
    ? `Page ${number} is past the end: the last page is ${countAt(page?.rest, 'totalPage')}.`
    : undefined;
}

function pageNote(page: ListPage<CampaignSummary>, number: number) {
  const total = totalPages(page);
  if (total === undefined || number >= total) return [];
  const next = `Next: --page ${number + 1}, or --all`;
  return [`Page ${number} of ${countAt(page.rest, 'totalPage')}. ${next}`];
}
