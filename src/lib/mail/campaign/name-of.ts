import type { CampaignSummary } from '../../../api/campaign.ts';

/** Names a campaign in sentences: `Campaign "Spring news" (cm3k9x2f8000008l4)`. One to be created has no id. */
export function nameOf({ id, name }: Partial<CampaignSummary>, word = 'Campaign'): string {
  if (!name) return `${word} ${id ?? ''}`;
  return `${word} ${JSON.stringify(name)}${id === undefined ? '' : ` (${id})`}`;
}
