import { bareAddress } from '../../../api/bare-address.ts';
import type { CampaignSummary } from '../../../api/campaign.ts';
import { campaignStatuses } from '../../../api/campaign-status.ts';
import type { EmailListItem } from '../../../api/email.ts';
import { bestEffort } from '../../command-line/command/best-effort.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { CallOptions } from '../../service/http/client.ts';

/** How many are known, and whether there may be more. */
interface Counted {
  readonly count: number;
  readonly mayBeMore: boolean;
}

const pagesOfEmails = [1, 2];

/**
 * What goes with a domain, as a sentence: campaigns from it that are not sent yet, and its scheduled emails. It takes the
 * first page of the campaigns of each status and the newest emails; what these do not show is said.
 */
export async function domainUseInWords(
  context: Context,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<string> {
  const [campaigns, emails] = await Promise.all([
    bestEffort(context, (within) => countCampaigns(context, name, within)),
    bestEffort(context, (within) => countScheduled(context, id, within)),
  ]);
  return `Unsent campaigns from it: ${inWords(campaigns)}; scheduled emails: ${inWords(emails)}.`;
}

async function countCampaigns(
  context: Context,
  name: string,
  within: CallOptions,
): Promise<Counted> {
  const unsent = campaignStatuses.filter((status) => status !== 'SENT');
  const pages = await Promise.all(
    unsent.map((status) => context.call('campaign.list', { query: { page: 1, status } }, within)),
  );
  const isFromIt = ({ from }: CampaignSummary) =>
    bareAddress(from ?? '').endsWith(`@${name.toLowerCase()}`);
  return {
    count: pages.flatMap(({ campaigns }) => campaigns).filter(isFromIt).length,
    mayBeMore: pages.some(({ totalPage }) => (totalPage ?? 1) > 1),
  };
}

async function countScheduled(context: Context, id: number, within: CallOptions): Promise<Counted> {
  const now = context.serviceNow();
  const isScheduled = ({ latestStatus, scheduledAt }: EmailListItem) =>
    latestStatus === undefined || latestStatus === null
      ? Date.parse(scheduledAt ?? '') > now
      : latestStatus === 'SCHEDULED';
  let count = 0;
  let seen = 0;
  for (const page of pagesOfEmails) {
    const query = { page, domainId: [id] };
    const { data, count: all } = await context.call('email.list', { query }, within);
    seen += data.length;
    count += data.filter(isScheduled).length;
    if (data.length === 0 || (all ?? 0) <= seen) return { count, mayBeMore: false };
  }
  return { count, mayBeMore: true };
}

function inWords(found: Counted | undefined): string {
  if (found === undefined) return 'unknown';
  return `${found.mayBeMore ? 'at least ' : ''}${found.count}`;
}
