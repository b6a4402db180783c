import { html } from 'hono/html';
import * as z from 'zod';
import { emailStatuses } from '../../../api/email-status.ts';
import { eventsOf, type StoredEvent } from '../../model/email/email-events.ts';
import type { Message } from '../../model/email/message.ts';
import type { Store } from '../../store/store.ts';
import { badge, emailStatusBadge } from '../page/badge.ts';
import type { Html } from '../page/html.ts';
import { exactMoment } from '../page/moment.ts';

/** The events of a message, in order, with their reasons. */
export function timeline(store: Store, message: Message): Html {
  const events = eventsOf(store, message.id).sort(inOrder);
  return html`<ol data-renew id="timeline" class="timeline">
<li>${badge('Accepted', 'neutral')} ${exactMoment(message.createdAt)}
<p class="muted">by the API, with ID ${message.id}</p></li>
${message.scheduledAt === null ? '' : scheduled(message.scheduledAt)}
${events.map(entry)}
</ol>`;
}

function scheduled(at: number): Html {
  return html`<li>${badge('Scheduled', 'accent')} <span class="muted">for</span> ${exactMoment(at)}</li>`;
}

function entry({ status, recipient, createdAt, data }: StoredEvent): Html {
  return html`<li>${emailStatusBadge(status)} ${exactMoment(createdAt)}
${recipient === '' ? '' : html`<p class="muted"><bdi>${recipient}</bdi></p>`}
${reasonsOf(data).map((reason) => html`<p class="reason">${reason}</p>`)}</li>`;
}

/** Events of the same time are in the order in which statuses follow each other. */
function inOrder(one: StoredEvent, other: StoredEvent): number {
  const rank = ({ status }: StoredEvent) => emailStatuses.indexOf(status);
  return one.createdAt - other.createdAt || rank(one) - rank(other);
}

const text = z.string().optional().catch(undefined);
const recipients = z
  .array(z.object({ status: text, diagnosticCode: text }))
  .optional()
  .catch(undefined);

/** The known fields of what the provider reports. */
const told = z.object({
  smtpResponse: text,
  bounceType: text,
  bounceSubType: text,
  bouncedRecipients: recipients,
  delayType: text,
  delayedRecipients: recipients,
  complaintFeedbackType: text,
  link: text,
  reason: text,
  error: text,
});

function reasonsOf(data: unknown): string[] {
  const { success, data: known } = told.safeParse(data);
  if (!success) return [];
  const ofRecipients = [...(known.bouncedRecipients ?? []), ...(known.delayedRecipients ?? [])];
  const reasons = [
    known.smtpResponse,
    [known.bounceType, known.bounceSubType, known.delayType].filter(isThere).join(', '),
    ...ofRecipients.map(({ diagnosticCode, status }) => diagnosticCode ?? status),
    known.complaintFeedbackType,
    known.link,
    known.reason,
    known.error,
  ];
  return reasons.filter(isThere);
}

function isThere(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
