/**
 * Statuses of an email, lowest rank first: an email's latest status only moves up this list.
 * The names are the specification's; the order was observed on live servers.
 */
export const emailStatuses = [
  'SCHEDULED',
  'CANCELLED',
  'RENDERING_FAILURE',
  'QUEUED',
  'SENT',
  'REJECTED',
  'DELIVERY_DELAYED',
  'DELIVERED',
  'BOUNCED',
  'OPENED',
  'CLICKED',
  'COMPLAINED',
  'FAILED',
  'SUPPRESSED',
] as const;

export type EmailStatus = (typeof emailStatuses)[number];
