import type { EmailStatus } from '../../../api/email-status.ts';
import { badge, statusWords, type Tone } from './badge.ts';
import type { Html } from './layout.ts';

const tones: Readonly<Record<EmailStatus, Tone>> = {
  SCHEDULED: 'accent',
  CANCELLED: 'neutral',
  RENDERING_FAILURE: 'bad',
  QUEUED: 'neutral',
  SENT: 'neutral',
  REJECTED: 'bad',
  DELIVERY_DELAYED: 'warn',
  DELIVERED: 'good',
  BOUNCED: 'bad',
  OPENED: 'good',
  CLICKED: 'good',
  COMPLAINED: 'bad',
  FAILED: 'bad',
  SUPPRESSED: 'warn',
};

/** The status of a message. */
export function statusBadge(status: EmailStatus): Html {
  return badge(statusWords(status), tones[status]);
}
