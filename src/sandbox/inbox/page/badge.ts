import { html } from 'hono/html';
import type { EmailStatus } from '../../../api/email-status.ts';
import type { Html } from './html.ts';

/** What a badge means; each tone has its colours. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

/** A status in words, on a coloured background. */
export function badge(text: string, tone: Tone): Html {
  return html`<span class="badge" data-tone="${tone}">${text}</span>`;
}

/** A status of the API, such as `DELIVERY_DELAYED`, in words: `Delivery delayed`. */
export function statusWords(status: string): string {
  const words = status.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

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
export function emailStatusBadge(status: EmailStatus): Html {
  return badge(statusWords(status), tones[status]);
}
