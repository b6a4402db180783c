import type { EmailStatus } from '../../../api/email-status.ts';
import { domainOf } from '../addresses.ts';

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ipAddress = '192.0.2.1';

/** Why mail bounced or is delayed: the provider's type and subtype, and what the recipient's server said. */
export interface Reason {
  readonly type: string;
  readonly subType?: string;
  /** As in SMTP: `452 4.2.2 The mailbox is full`. */
  readonly response: string;
}

/**
 * The `data` of an event, in the shapes the provider reports (those of Amazon SES, which live
 * servers pass on). `recipient` is a bare address, `at` milliseconds since 1970.
 */
export function eventData(
  status: EmailStatus,
  recipient: string,
  at: number,
  reason?: Reason,
): object | null {
  const code = reason && enhancedCode(reason);
  const diagnosticCode = reason && `smtp; ${reason.response}`;
  const timestamp = new Date(at).toISOString();
  switch (status) {
    case 'SENT':
      return {};
    case 'DELIVERED':
      return {
        timestamp,
        recipients: [recipient],
        smtpResponse: '250 2.0.0 OK',
        reportingMTA: 'sandbox.invalid',
        processingTimeMillis: 700,
      };
    case 'BOUNCED':
      return {
        timestamp,
        bounceType: reason?.type ?? 'Permanent',
        bounceSubType: reason?.subType ?? 'General',
        bouncedRecipients: [
          {
            emailAddress: recipient,
            action: 'failed',
            status: code ?? '5.1.1',
            diagnosticCode:
              diagnosticCode ??
              `smtp; 550 5.1.1 <${recipient}>: no such mailbox at ${domainOf(recipient)}`,
          },
        ],
      };
    case 'COMPLAINED':
      return {
        timestamp,
        complaintFeedbackType: 'abuse',
        complainedRecipients: [{ emailAddress: recipient }],
      };
    case 'DELIVERY_DELAYED':
      return {
        timestamp,
        delayType: reason?.type ?? 'MailboxFull',
        expirationTime: new Date(at + 12 * 3_600_000).toISOString(),
        delayedRecipients: [
          {
            emailAddress: recipient,
            status: code ?? '4.2.2',
            ...(diagnosticCode === undefined ? {} : { diagnosticCode }),
          },
        ],
      };
    case 'OPENED':
      return { timestamp, userAgent, ipAddress };
    case 'CLICKED':
      return { timestamp, userAgent, ipAddress, link: 'https://example.com/' };
    case 'REJECTED':
      return { reason: 'Bad content' };
    case 'FAILED':
      return { error: 'The provider did not accept the message' };
    case 'SUPPRESSED':
      return { error: 'All recipients are suppressed. Nothing was sent.' };
    default:
      return null;
  }
}

/** The code of RFC 3463 in a response, or the most general one. */
function enhancedCode({ type, response }: Reason): string {
  const found = response.match(/^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/)?.[1];
  return found ?? (type === 'Permanent' ? '5.0.0' : '4.0.0');
}
