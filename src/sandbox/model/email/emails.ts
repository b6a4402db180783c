import { bareAddress } from '../../../api/bare-address.ts';
import { type EmailStatus, emailStatuses } from '../../../api/email-status.ts';
import type { Store } from '../../store/store.ts';
import { type Addresses, addressList } from '../addresses.ts';
import { newId } from '../ids.ts';
import { addJob } from '../jobs.ts';
import { addDelivery, deliversBySmtp } from './deliveries.ts';
import { eventData } from './event-data.ts';
import { counted, isCounted } from './figures.ts';
import { storeSearchText } from './message-search.ts';
import { snippetOf } from './message-text.ts';
import { isSuppressedByName, outcomesFor } from './outcomes.ts';
import { type NewEvent, tellEmail } from './tell-email.ts';
import { markUnread } from './unread.ts';

/** Columns of an email; times are milliseconds since 1970. */
export interface EmailColumns {
  readonly id: string;
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly scheduledAt: number | null;
  readonly createdAt: number;
}

/** An email to store: valid, with its template filled in. */
export interface NewEmail {
  readonly from: string;
  readonly to: Addresses;
  readonly cc?: Addresses;
  readonly bcc?: Addresses;
  readonly replyTo?: Addresses;
  readonly subject: string;
  readonly html?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly domainId: number;
  /** Milliseconds since 1970. Without it, or with a time in the past, the email is sent now. */
  readonly scheduledAt?: number | null | undefined;
  readonly inReplyToId?: string | null | undefined;
  /** The headers that the sender adds, by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly attachments?: readonly NewAttachment[] | undefined;
  /** The message as received over SMTP. */
  readonly source?: Content | undefined;
  readonly campaign?: { readonly id: string; readonly contactId: string } | undefined;
}

/** An attachment. `filename` is unchecked input: do not use it as a path. */
interface NewAttachment {
  readonly filename: string;
  readonly content: Content;
}

/** Bytes, or text in base64. */
type Content = Uint8Array | string;

/**
 * Stores an email, and releases it or schedules its release. Suppressed addresses are left out,
 * unless all in `to` are suppressed. Call it in a transaction. Returns the id.
 */
export function storeEmail(store: Store, email: NewEmail, now: number, id = newId(now)): string {
  const { scheduledAt = null } = email;
  insertEmail(store, withoutSuppressed(store, email), now, id);
  markUnread(store, id);
  if (scheduledAt !== null && scheduledAt > now) scheduleRelease(store, id, scheduledAt);
  else releaseEmail(store, id, now);
  return id;
}

function withoutSuppressed(store: Store, email: NewEmail): NewEmail {
  const kept = (mailboxes: Addresses) =>
    addressList(mailboxes).filter((mailbox) => !isSuppressed(store, bareAddress(mailbox)));
  const to = kept(email.to);
  return to.length === 0 ? email : { ...email, to, cc: kept(email.cc), bcc: kept(email.bcc) };
}

/** Stores an email as SCHEDULED, without a job to send it. The inbox shows it as read. */
export function insertEmail(store: Store, email: NewEmail, now: number, id: string): void {
  const { from, subject, html = null, text = null, campaign } = email;
  const [to, cc, bcc] = [addressList(email.to), addressList(email.cc), addressList(email.bcc)];
  store.insert('emails', {
    id,
    sender: from,
    recipients: to,
    cc,
    bcc,
    replyTo: addressList(email.replyTo),
    subject,
    html,
    text,
    latestStatus: 'SCHEDULED',
    scheduledAt: email.scheduledAt,
    domainId: email.domainId,
    campaignId: campaign?.id,
    contactId: campaign?.contactId,
    inReplyToId: email.inReplyToId,
    headers: email.headers ?? {},
    createdAt: now,
    updatedAt: now,
    hasAttachments: email.attachments !== undefined && email.attachments.length > 0,
    snippet: snippetOf({ text, html }),
  });
  storeSearchText(store, id, { from, to: [...to, ...cc, ...bcc], subject, text, html });
  if (email.source !== undefined) {
    store.insert('sources', { emailId: id, content: bytesOf(email.source) });
  }
  for (const [position, { filename, content }] of (email.attachments ?? []).entries()) {
    const bytes = bytesOf(content);
    store.insert('attachments', { emailId: id, position, filename, content: bytes });
  }
}

function bytesOf(content: Content): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content, 'base64') : content;
}

export function scheduleRelease(store: Store, id: string, dueAt: number): void {
  addJob(store, { dueAt, kind: 'email.release', subject: id });
}

/**
 * Sends an email over SMTP, or simulates it: events follow for each recipient. Suppressed
 * recipients get nothing; if all in `to` are suppressed, the email is SUPPRESSED.
 */
export function releaseEmail(store: Store, id: string, at: number): void {
  const email = store.one<Pick<EmailColumns, 'recipients' | 'cc' | 'bcc'>>(
    'SELECT recipients, cc, bcc FROM emails WHERE id = ?',
    id,
  );
  if (email === undefined) return;
  const to = receivers(store, email.recipients);
  if (to.length === 0) {
    recordEvent(store, { emailId: id, status: 'SUPPRESSED', recipient: '' }, at);
    return;
  }
  store.update('emails', id, { latestStatus: 'QUEUED', updatedAt: at });
  tellEmail(store, { emailId: id, status: 'QUEUED', recipient: '' }, at);
  const copies = receivers(store, [...email.cc, ...email.bcc]);
  const recipients = new Set([...to, ...copies]);
  if (deliversBySmtp(store)) {
    addDelivery(store, id, [...recipients], at);
    return;
  }
  for (const recipient of recipients) {
    for (const { after, status, reason } of outcomesFor(recipient)) {
      const data = reason && eventData(status, recipient, at + after, reason);
      const detail = JSON.stringify({ status, recipient, data });
      addJob(store, { dueAt: at + after, kind: 'email.report', subject: id, detail });
    }
  }
}

/**
 * Adds an event to an email's history, and updates its status, suppressions and the counts of its
 * campaign. The same event counts once.
 */
export function recordEvent(store: Store, event: NewEvent, at: number): void {
  const { emailId, status, recipient } = event;
  const email = store.one<{ latest: EmailStatus; campaignId: string | null }>(
    'SELECT latest_status AS latest, campaign_id FROM emails WHERE id = ?',
    emailId,
  );
  if (email === undefined) return;
  const row = { emailId, status, recipient, createdAt: at, data: event.data };
  if (!store.insertNew('events', row)) return;
  tellEmail(store, event, at);
  const latest = higherStatus(email.latest, status);
  store.update('emails', emailId, { latestStatus: latest, updatedAt: at });
  // Later emails may reach a recipient of a transient bounce.
  const transient = isTransient(event.data);
  if ((status === 'BOUNCED' && !transient) || status === 'COMPLAINED') {
    store.insertNew('suppressions', { address: recipient, reason: status, createdAt: at });
  }
  if (email.campaignId !== null) countForCampaign(store, email.campaignId, event, transient);
}

function isTransient(data: object | undefined): boolean {
  return data !== undefined && 'bounceType' in data && data.bounceType === 'Transient';
}

/** The status of an email for which both were reported. */
export function higherStatus(one: EmailStatus, other: EmailStatus): EmailStatus {
  return emailStatuses.indexOf(other) > emailStatuses.indexOf(one) ? other : one;
}

/** The bare addresses of mailboxes that are not suppressed. */
function receivers(store: Store, mailboxes: readonly string[]): string[] {
  return mailboxes.map(bareAddress).filter((address) => !isSuppressed(store, address));
}

function isSuppressed(store: Store, address: string): boolean {
  if (isSuppressedByName(address)) return true;
  return store.value('SELECT 1 FROM suppressions WHERE address = ?', address) !== undefined;
}

/** Campaigns count emails, not recipients: if an email has copies, only the first report counts. */
function countForCampaign(
  store: Store,
  campaignId: string,
  { emailId, status }: NewEvent,
  transient: boolean,
): void {
  if (!isCounted(status)) return;
  const field = counted[status];
  const hard = status === 'BOUNCED' && !transient ? ', hard_bounced = hard_bounced + 1' : '';
  const sql = `UPDATE campaigns SET ${field} = ${field} + 1${hard} WHERE id = ?`;
  const count = 'SELECT count(*) FROM events WHERE email_id = ? AND status = ?';
  if (store.value(count, emailId, status) === 1) store.run(sql, campaignId);
}
