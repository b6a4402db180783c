import type { EmailStatus } from '../../../api/email-status.ts';
import { badge, statusWords, type Tone } from '../badge.ts';
import type { Html } from '../layout.ts';

const tones: Partial<Record<EmailStatus, Tone>> = {
  DELIVERED: 'good',
  OPENED: 'good',
  CLICKED: 'good',
  DELIVERY_DELAYED: 'warn',
  REJECTED: 'bad',
  RENDERING_FAILURE: 'bad',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
  FAILED: 'bad',
  SUPPRESSED: 'bad',
};

/** The status of a message. */
export function emailBadge(status: EmailStatus): Html {
  return badge(statusWords(status), tones[status] ?? 'neutral');
}
