import type { CampaignSummary } from '../../../api/campaign.ts';
import type { CampaignStatus } from '../../../api/campaign-status.ts';
import { limits } from '../../../api/limits.ts';
import type { Reply } from '../../../api/operations.ts';
import type { Context } from '../../command-line/command/context.ts';
import { allPages } from '../../command-line/output/paging.ts';
import type { ListPage } from '../../command-line/output/result.ts';
import type { CallOptions } from '../../service/http/client.ts';
import { namedBy } from '../../service/http/named-by.ts';

/** Which campaigns to list. `search` matches part of a name or subject, regardless of case. */
export interface CampaignFilter {
  readonly status?: CampaignStatus;
  readonly search?: string;
}

const nameOf = namedBy({ page: '--page', status: '--status', search: '--search' });

/** One page of the campaigns, newest first; pages count from 1. */
export async function fetchCampaignPage(
  context: Context,
  filter: CampaignFilter,
  page: number,
  options: Pick<CallOptions, 'deadline'> = {},
): Promise<ListPage<CampaignSummary>> {
  const query = { page, ...filter };
  const reply = await context.call('campaign.list', { query }, { nameOf, ...options });
  return { rows: reply.campaigns, rest: reply };
}

/** All pages. */
export function fetchCampaignPages(
  context: Context,
  filter: CampaignFilter,
  options: Pick<CallOptions, 'deadline'> = {},
): AsyncGenerator<ListPage<CampaignSummary>> {
  return allPages({
    first: 1,
    fetch: (page) => fetchCampaignPage(context, filter, page, options),
    more: hasMore,
    id: ({ id }) => id,
  });
}

/** The number of pages, if the service reports it. */
export function totalPages({ rest }: ListPage<CampaignSummary>): number | undefined {
  // It is the reply that `fetchCampaignPage` stored there.
  return (rest as Reply<'campaign.list'>).totalPage ?? undefined;
}

function hasMore(result: ListPage<CampaignSummary>, page: number): boolean {
  const total = totalPages(result);
  if (result.rows.length === 0) return false;
  return total === undefined ? result.rows.length >= limits.campaignsPerPage : page < total;
}
