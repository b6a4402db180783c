import type { Campaign } from '../../../api/campaign.ts';
import { countAt } from '../../command-line/output/count-at.ts';

/** What a campaign counts besides its contacts, in the order shown. */
export const counters = [
  { field: 'sent', label: 'Sent', of: 'total', tone: 'good' },
  { field: 'delivered', label: 'Delivered', of: 'sent', tone: 'good' },
  { field: 'opened', label: 'Opened', of: 'delivered', tone: 'good' },
  { field: 'clicked', label: 'Clicked', of: 'delivered', tone: 'good' },
  { field: 'unsubscribed', label: 'Unsubscribed', of: 'delivered', tone: 'doubtful' },
  { field: 'bounced', label: 'Bounced', of: 'sent', tone: 'bad' },
  { field: 'hardBounced', label: 'Hard bounced', of: 'sent', tone: 'bad' },
  { field: 'complained', label: 'Complained', of: 'delivered', tone: 'bad' },
] as const;

type Count = 'total' | (typeof counters)[number]['field'];

/** A campaign in full or in a list, which has only some of the counters. */
type Counted = Pick<Campaign, 'status' | Count>;

/** A counter of a campaign; undefined if the reply lacks it. */
export function counterOf(campaign: Counted, field: Count): number | undefined {
  const count = campaign[field];
  return typeof count === 'number' && count >= 0 ? count : undefined;
}

/** The status of a campaign with all its counters: `RUNNING, 4 of 11 sent, 3 delivered`. */
export function stateOf(campaign: Counted): string {
  return inWords(campaign, counters);
}

/** The status of a campaign and its progress: `RUNNING, 4 of 11 sent`. */
export function briefStateOf(campaign: Counted): string {
  return inWords(campaign, counters.slice(0, 1));
}

function inWords(campaign: Counted, shown: readonly (typeof counters)[number][]): string {
  const counts = shown.flatMap(({ field, label }) => {
    const count = counterOf(campaign, field);
    const total = field === 'sent' ? counterOf(campaign, 'total') : undefined;
    const of = total === undefined ? '' : ` of ${countAt(campaign, 'total')}`;
    return count === undefined ? [] : [`${countAt(campaign, field)}${of} ${label.toLowerCase()}`];
  });
  return [campaign.status ?? 'unknown', ...counts].join(', ');
}
