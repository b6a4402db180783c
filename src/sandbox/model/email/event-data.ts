import type { EmailStatus } from '../../../api/email-status.ts';
import { domainOf } from '../addresses.ts';

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ipAddress = '192.0.2.1';

/**
 * The `data` of an event, in the shapes the provider reports (those of Amazon SES, which live
 * servers pass on). `recipient` is a bare address, `at` milliseconds since 1970.
 */
export function eventData(status: EmailStatus, recipient: string, at: number): unknown {
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
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [
          {
            emailAddress: recipient,
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: `smtp; 550 5.1.1 <${recipient}>: no such mailbox at ${domainOf(recipient)}`,
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
        delayType: 'MailboxFull',
        expirationTime: new Date(at + 12 * 3_600_000).toISOString(),
        delayedRecipients: [{ emailAddress: recipient, status: '4.2.2' }],
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
