import type { EmailStatus } from '../../../api/email-status.ts';
import { type EventType, eventTypes } from '../../../shared/webhook/event-types.ts';
import { bounceFields, openFields } from '../../../shared/webhook/events.ts';
import type { Store } from '../../store/store.ts';
import { iso } from '../iso.ts';
import { callWebhooks } from '../webhooks.ts';
import { eventData } from './event-data.ts';

/** An event of an email. `recipient` is a bare address; empty if it is about all recipients. */
export interface NewEvent {
  readonly emailId: string;
  readonly status: EmailStatus;
  readonly recipient: string;
  /** The default is that of `eventData`. */
  readonly data?: object | undefined;
}

interface EmailRow {
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly domainId: number;
  readonly campaignId: string | null;
  readonly contactId: string | null;
}

/** Calls webhooks about an event of an email, if there is such an event. Call it in a transaction. */
export function tellEmail(store: Store, event: NewEvent, at: number): void {
  const type = `email.${event.status.toLowerCase()}`;
  if (!isEventType(type)) return;
  callWebhooks(store, type, at, () => {
    const row = store.one<EmailRow>(
      'SELECT sender, recipients, subject, domain_id, campaign_id, contact_id FROM emails WHERE id = ?',
      event.emailId,
    );
    if (row === undefined) return undefined;
    const { campaignId, contactId } = row;
    return {
      id: event.emailId,
      status: event.status,
      from: row.sender,
      to: row.recipients,
      occurredAt: iso(at),
      ...(campaignId === null ? {} : { campaignId }),
      ...(contactId === null ? {} : { contactId }),
      domainId: row.domainId === 0 ? null : row.domainId,
      subject: row.subject,
      ...detailsOf(event, at),
    };
  });
}

function isEventType(type: string): type is EventType {
  return eventTypes.some((one) => one === type);
}

/** What the provider reported, in the shapes of `eventData`. */
interface Report {
  readonly bounceType: string;
  readonly bounceSubType: string;
  readonly bouncedRecipients: readonly { readonly diagnosticCode?: string }[];
  readonly delayType: string;
  readonly expirationTime: string;
  readonly delayedRecipients: readonly object[];
  readonly reason: string;
  readonly timestamp: string;
  readonly userAgent: string;
  readonly ipAddress: string;
  readonly link: string;
  readonly error: string;
}

function detailsOf({ status, recipient, data }: NewEvent, at: number): object {
  // An SMTP server's report may lack some of them.
  const report = (data ?? eventData(status, recipient, at) ?? {}) as Partial<Report>;
  const device = {
    timestamp: report.timestamp ?? iso(at),
    userAgent: report.userAgent,
    ip: report.ipAddress,
  };
  switch (status) {
    case 'BOUNCED':
      return bounceFields({
        type: report.bounceType ?? 'Permanent',
        subType: report.bounceSubType ?? 'General',
        message: report.bouncedRecipients?.[0]?.diagnosticCode,
      });
    case 'OPENED':
      return openFields(device);
    case 'CLICKED':
      return openFields(device, report.link ?? '');
    case 'DELIVERY_DELAYED': {
      const { delayType, expirationTime, delayedRecipients } = report;
      return { metadata: { delayType, expirationTime, delayedRecipients } };
    }
    case 'REJECTED':
      return { metadata: { reason: report.reason } };
    case 'FAILED':
      return { failed: { reason: report.error ?? 'The provider did not accept the message' } };
    case 'SUPPRESSED':
      return {
        suppression: {
          type: 'Bounce',
          reason: report.error ?? 'All recipients are suppressed. Nothing was sent.',
        },
      };
    default:
      return {};
  }
}
