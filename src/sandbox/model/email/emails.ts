import { bareAddress } from '../../../api/bare-address.ts';
import { type EmailStatus, emailStatuses } from '../../../api/email-status.ts';
import { strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';
import { newId } from '../ids.ts';
import { addJob } from '../jobs.ts';
import { addDelivery, deliversBySmtp } from './deliveries.ts';
import { searchableText } from './message-search.ts';
import { snippetOf } from './message-text.ts';
import { isSuppressedByName, outcomesFor } from './outcomes.ts';

/** Columns of an email as the store has them: lists are JSON, times milliseconds since 1970. */
export interface EmailColumns {
  readonly id: string;
  readonly sender: string;
  readonly recipients: string;
  readonly cc: string;
  readonly bcc: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly scheduledAt: number | null;
  readonly createdAt: number;
}

/** An email that may be sent: everything has been checked and filled in. */
export interface NewEmail {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly domainId: number;
  /** Milliseconds since 1970; null or a time in the past is now. */
  readonly scheduledAt: number | null;
  readonly inReplyToId?: string | undefined;
  /** The headers that the sender adds, by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly attachments?: readonly NewAttachment[] | undefined;
  readonly campaign?: { readonly id: string; readonly contactId: string } | undefined;
}

/** An attachment. `filename` is unchecked input: do not use it as a path. */
interface NewAttachment {
  readonly filename: string;
  readonly content: Uint8Array;
}

/**
 * Stores an email and releases it, or puts its release on the list of jobs when it is for later.
 * Addresses that are suppressed by now are not kept, unless all it is addressed to are. Call it in
 * a transaction. Returns the id, which may be given.
 */
export function storeEmail(store: Store, email: NewEmail, now: number, id = newId(now)): string {
  insertEmail(store, withoutSuppressed(store, email), now, id);
  const later = email.scheduledAt !== null && email.scheduledAt > now;
  if (later) addJob(store, { dueAt: email.scheduledAt, kind: 'email.release', subject: id });
  else releaseEmail(store, id, now);
  return id;
}

function withoutSuppressed(store: Store, email: NewEmail): NewEmail {
  const kept = (mailboxes: readonly string[]) =>
    mailboxes.filter((mailbox) => !isSuppressed(store, bareAddress(mailbox)));
  const to = kept(email.to);
  return to.length === 0 ? email : { ...email, to, cc: kept(email.cc), bcc: kept(email.bcc) };
}

/** Stores an email as SCHEDULED, without a job to send it. */
export function insertEmail(store: Store, email: NewEmail, now: number, id: string): void {
  store.run(
    `INSERT INTO emails (id, sender, recipients, cc, bcc, reply_to, subject, html, text,
       latest_status, scheduled_at, domain_id, campaign_id, contact_id, in_reply_to_id,
       headers, created_at, updated_at, snippet)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    email.from,
    JSON.stringify(email.to),
    JSON.stringify(email.cc),
    JSON.stringify(email.bcc),
    JSON.stringify(email.replyTo),
    email.subject,
    email.html,
    email.text,
    'SCHEDULED',
    email.scheduledAt,
    email.domainId,
    email.campaign?.id ?? null,
    email.campaign?.contactId ?? null,
    email.inReplyToId ?? null,
    JSON.stringify(email.headers ?? {}),
    now,
    now,
    snippetOf(email),
  );
  store.run(
    'INSERT INTO message_texts (seq, folded) SELECT seq, ? FROM emails WHERE id = ?',
    searchableText(email),
    id,
  );
  for (const [position, { filename, content }] of (email.attachments ?? []).entries()) {
    store.run(
      'INSERT INTO attachments (email_id, position, filename, content) VALUES (?, ?, ?, ?)',
      id,
      position,
      filename,
      content,
    );
  }
}

/**
 * Hands an email over to the provider, which reports of each recipient later, or has it handed to
 * an SMTP server. Suppressed recipients get nothing; when all it is addressed to are, the email is
 * SUPPRESSED.
 */
export function releaseEmail(store: Store, id: string, at: number): void {
  const email = store.one<{ recipients: string; cc: string; bcc: string }>(
    'SELECT recipients, cc, bcc FROM emails WHERE id = ?',
    id,
  );
  if (email === undefined) return;
  const to = receivers(store, addresses(email.recipients));
  if (to.length === 0) {
    recordEvent(store, { emailId: id, status: 'SUPPRESSED', recipient: '' }, at);
    return;
  }
  store.run('UPDATE emails SET latest_status = ?, updated_at = ? WHERE id = ?', 'QUEUED', at, id);
  const copies = receivers(store, [...addresses(email.cc), ...addresses(email.bcc)]);
  const recipients = new Set([...to, ...copies]);
  if (deliversBySmtp(store)) {
    addDelivery(store, id, [...recipients], at);
    return;
  }
  for (const recipient of recipients) {
    for (const { after, status } of outcomesFor(recipient)) {
      const detail = JSON.stringify({ status, recipient });
      addJob(store, { dueAt: at + after, kind: 'email.report', subject: id, detail });
    }
  }
}

/** One thing that happened to an email. `recipient` is a bare address, empty if of all. */
interface NewEvent {
  readonly emailId: string;
  readonly status: EmailStatus;
  readonly recipient: string;
  /** The data of the event; by default that of `eventData`. */
  readonly data?: object | undefined;
}

/** Adds to an email's history, and to all that depends on it. The same event counts once. */
export function recordEvent(store: Store, event: NewEvent, at: number): void {
  const { emailId, status, recipient } = event;
  const email = store.one<{ latest: EmailStatus; campaignId: string | null }>(
    'SELECT latest_status AS latest, campaign_id AS campaignId FROM emails WHERE id = ?',
    emailId,
  );
  if (email === undefined) return;
  const isNew = store.run(
    `INSERT OR IGNORE INTO events (email_id, status, recipient, created_at, data)
     VALUES (?, ?, ?, ?, ?)`,
    emailId,
    status,
    recipient,
    at,
    event.data === undefined ? null : JSON.stringify(event.data),
  );
  if (isNew === 0) return;
  store.run(
    'UPDATE emails SET latest_status = ?, updated_at = ? WHERE id = ?',
    higherStatus(email.latest, status),
    at,
    emailId,
  );
  // Who cannot be reached now may be reached another time.
  const transient = isTransient(event.data);
  if ((status === 'BOUNCED' && !transient) || status === 'COMPLAINED') {
    suppress(store, recipient, status, at);
  }
  if (email.campaignId !== null) countForCampaign(store, email.campaignId, event, transient);
}

/** Whether the data of a bounce says that it was for now only. */
function isTransient(data: object | undefined): boolean {
  return data !== undefined && 'bounceType' in data && data.bounceType === 'Transient';
}

/** The one of two statuses that an email has when both have been reported. */
export function higherStatus(one: EmailStatus, other: EmailStatus): EmailStatus {
  return emailStatuses.indexOf(other) > emailStatuses.indexOf(one) ? other : one;
}

function addresses(json: string): string[] {
  return strings(json).map(bareAddress);
}

function receivers(store: Store, candidates: readonly string[]): string[] {
  return candidates.filter((address) => !isSuppressed(store, address));
}

function isSuppressed(store: Store, address: string): boolean {
  if (isSuppressedByName(address)) return true;
  return store.one('SELECT 1 FROM suppressions WHERE address = ?', address) !== undefined;
}

function suppress(store: Store, address: string, reason: EmailStatus, at: number): void {
  store.run(
    'INSERT OR IGNORE INTO suppressions (address, reason, created_at) VALUES (?, ?, ?)',
    address,
    reason,
    at,
  );
}

const campaignCounts: Partial<Record<EmailStatus, string>> = {
  SENT: 'UPDATE campaigns SET sent = sent + 1 WHERE id = ?',
  DELIVERED: 'UPDATE campaigns SET delivered = delivered + 1 WHERE id = ?',
  OPENED: 'UPDATE campaigns SET opened = opened + 1 WHERE id = ?',
  CLICKED: 'UPDATE campaigns SET clicked = clicked + 1 WHERE id = ?',
  BOUNCED:
    'UPDATE campaigns SET bounced = bounced + 1, hard_bounced = hard_bounced + 1 WHERE id = ?',
  COMPLAINED: 'UPDATE campaigns SET complained = complained + 1 WHERE id = ?',
};

const softBounce = 'UPDATE campaigns SET bounced = bounced + 1 WHERE id = ?';

/** A campaign counts emails, not recipients: of those with copies, the first report counts. */
function countForCampaign(
  store: Store,
  campaignId: string,
  { emailId, status }: NewEvent,
  transient: boolean,
): void {
  const sql = transient ? softBounce : campaignCounts[status];
  if (sql === undefined) return;
  const reports = store.one<{ count: number }>(
    'SELECT count(*) AS count FROM events WHERE email_id = ? AND status = ?',
    emailId,
    status,
  );
  if (reports?.count === 1) store.run(sql, campaignId);
}
