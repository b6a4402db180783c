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

/** The event of an outcome, besides SENT, with data in the shapes of `eventData`. */
export function reportOf({ recipient, answer, at, expiresAt, took }: Outcome) {
  const timestamp = new Date(at).toISOString();
  const status = enhancedCode(answer);
  const diagnosticCode = `smtp; ${answer.response}`;
  if (answer.kind === 'accepted') {
    return {
      status: 'DELIVERED' as const,
      data: {
        timestamp,
        recipients: [recipient],
        smtpResponse: answer.response,
        reportingMTA: 'sandbox.invalid',
        processingTimeMillis: took,
      },
    };
  }
  if (answer.kind === 'refused' || at >= expiresAt) {
    return {
      status: 'BOUNCED' as const,
      data: {
        timestamp,
        bounceType: answer.kind === 'refused' ? 'Permanent' : 'Transient',
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: recipient, action: 'failed', status, diagnosticCode }],
      },
    };
  }
  return {
    status: 'DELIVERY_DELAYED' as const,
    data: {
      timestamp,
      delayType: /^4/.test(answer.response) ? 'General' : 'TransientCommunicationFailure',
      expirationTime: new Date(expiresAt).toISOString(),
      delayedRecipients: [{ emailAddress: recipient, status, diagnosticCode }],
    },
  };
}

/** The code of RFC 3463 in a response, or the most general one. */
function enhancedCode({ kind, response }: SmtpReply): string {
  const found = response.match(/^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/)?.[1];
  return found ?? (kind === 'refused' ? '5.0.0' : '4.0.0');
}
