import type { CampaignSummary } from '../../../api/campaign.ts';
import { duration } from '../../base/text/time-in-words.ts';
import { nameOf } from './name-of.ts';

/** How long a service may take to start a campaign whose time has come, in milliseconds. */
const startingTakes = 2 * 60_000;

/** For how long the start of a campaign has been overdue, in words such as `12 minutes`; undefined if it is not. */
export function overdueFor(
  { status, scheduledAt }: CampaignSummary,
  now: number,
): string | undefined {
  const late = now - Date.parse(scheduledAt ?? '');
  return status === 'SCHEDULED' && late >= startingTakes ? duration(late) : undefined;
}

/** A sentence about a campaign whose start is overdue, if it is. */
export function overdueNotes(campaign: CampaignSummary, now: number): string[] {
  const late = overdueFor(campaign, now);
  if (late === undefined) return [];
  return [`${nameOf(campaign)} was to start ${late} ago, and the service has not started it.`];
}
