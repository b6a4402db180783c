import type { EmailStatus } from '../../../api/email-status.ts';
import { eventData } from '../../model/email/event-data.ts';
import type { SmtpReply } from './answers.ts';

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
export function reportOf({ recipient, answer, at, expiresAt, took }: Outcome) {
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
