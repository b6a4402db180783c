import { type Delivery, postponeDelivery, removeDelivery } from '../../model/email/deliveries.ts';
import { recordEvent } from '../../model/email/emails.ts';
import type { Store } from '../../store/store.ts';
import type { SmtpReply } from './answers.ts';
import { reportOf } from './reports.ts';

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
