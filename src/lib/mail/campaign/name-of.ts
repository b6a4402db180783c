import type { CampaignSummary } from '../../../api/campaign.ts';

/** Names a campaign in sentences: `Campaign "Spring news" (cm3k9x2f8000008l4)`. */
export function nameOf({ id, name }: CampaignSummary, word = 'Campaign'): string {
  return name ? `${word} ${JSON.stringify(name)} (${id})` : `${word} ${id}`;
}
