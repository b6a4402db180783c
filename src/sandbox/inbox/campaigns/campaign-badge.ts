import type { CampaignStatus } from '../../../api/campaign-status.ts';
import { badge, statusWords, type Tone } from '../page/badge.ts';
import type { Html } from '../page/layout.ts';

const tones: Readonly<Record<CampaignStatus, Tone>> = {
  DRAFT: 'neutral',
  SCHEDULED: 'accent',
  RUNNING: 'accent',
  PAUSED: 'warn',
  SENT: 'good',
};

/** The status of a campaign. */
export function campaignBadge(status: CampaignStatus): Html {
  return badge(statusWords(status), tones[status]);
}
