/** The statuses the list can be filtered by. A campaign's own `status` is an open string. */
export const campaignStatuses = ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];
