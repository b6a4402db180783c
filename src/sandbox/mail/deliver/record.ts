import type { EmailStatus } from '../../../api/email-status.ts';
import { type Delivery, postponeDelivery, removeDelivery } from '../../model/email/deliveries.ts';
import { recordEvent } from '../../model/email/emails.ts';
import { eventData } from '../../model/email/event-data.ts';
import type { Store } from '../../store/store.ts';
import type { SmtpReply } from './answers.ts';

/** The pauses between attempts, in milliseconds. After them, the last one repeats. */
const pauses = [60_000, 5 * 60_000, 15 * 60_000];
const laterPause = 3_600_000;

/**
 * Records the responses to an email, by recipient, and schedules a retry for the remaining ones.
 * Does nothing if the email was deleted. `at` is in milliseconds since 1970, `took` in milliseconds.
 * Call it in a transaction.
 */
export function recordAnswers(
  store: Store,
  { emailId, attempts, expiresAt }: Delivery,
  answers: ReadonlyMap<string, SmtpReply>,
  { at, took }: { at: number; took: number },
): void {
  const outcomes = [...answers].map(([recipient, answer]) => ({
    recipient,
    answer,
    ...reportOf({ recipient, answer, at, expiresAt, took }),
  }));
  const left = outcomes.filter(({ status }) => status === 'DELIVERY_DELAYED');
  if (left.length === 0) {
    removeDelivery(store, emailId);
  } else {
    postponeDelivery(store, emailId, {
      recipients: left.map(({ recipient }) => recipient),
      dueAt: Math.min(at + (pauses[attempts] ?? laterPause), expiresAt),
    });
  }
  for (const { recipient, answer, status, data } of outcomes) {
    if (wasSent(answer)) recordEvent(store, { emailId, status: 'SENT', recipient }, at);
    recordEvent(store, { emailId, status, recipient, data }, at);
  }
}

/** Records that the server accepts no mail at all. Call it in a transaction. */
export function recordUnavailable(
  store: Store,
  delivery: Delivery,
  { reason, at }: { reason: string; at: number },
): void {
  const answer: SmtpReply = { kind: 'later', response: reason };
  const answers = new Map(delivery.recipients.map((recipient) => [recipient, answer]));
  recordAnswers(store, delivery, answers, { at, took: 0 });
}

/** Records that an email cannot be sent at all. Call it in a transaction. */
export function recordFailure(
  store: Store,
  { emailId }: Delivery,
  { error, at }: { error: string; at: number },
): void {
  removeDelivery(store, emailId);
  recordEvent(store, { emailId, status: 'FAILED', recipient: '', data: { error } }, at);
}

/** Whether the message was sent: the server responded with a code. */
export function wasSent({ response }: SmtpReply): boolean {
  return /^\d{3}\b/.test(response);
}

/** The outcome of a message for one recipient. */
interface Outcome {
  /** A bare address. */
  readonly recipient: string;
  readonly answer: SmtpReply;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** When retries end: milliseconds since 1970. */
  readonly expiresAt: number;
  /** How long the server took, in milliseconds. */
  readonly took: number;
}

/** The event of an outcome, besides SENT, with its data. */
function reportOf({ recipient, answer, at, expiresAt, took }: Outcome) {
  const { kind, response } = answer;
  const data = (status: EmailStatus, type: string) =>
    eventData(status, recipient, at, { type, response });
  if (kind === 'accepted') {
    const usual = eventData('DELIVERED', recipient, at);
    const own = { smtpResponse: response, processingTimeMillis: took };
    return { status: 'DELIVERED' as const, data: { ...usual, ...own } };
  }
  if (kind === 'refused' || at >= expiresAt) {
    const type = kind === 'refused' ? 'Permanent' : 'Transient';
    return { status: 'BOUNCED' as const, data: { ...data('BOUNCED', type) } };
  }
  const type = /^4/.test(response) ? 'General' : 'TransientCommunicationFailure';
  const expirationTime = new Date(expiresAt).toISOString();
  return {
    status: 'DELIVERY_DELAYED' as const,
    data: { ...data('DELIVERY_DELAYED', type), expirationTime },
  };
}
