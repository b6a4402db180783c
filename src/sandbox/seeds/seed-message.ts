import { bareAddress } from '../../api/bare-address.ts';
import type { EmailStatus } from '../../api/email-status.ts';
import { addressList } from '../model/addresses.ts';
import { higherStatus, insertEmail, storeEmail } from '../model/email/emails.ts';
import { addJob, removeJobs } from '../model/jobs.ts';
import type { Store } from '../store/store.ts';
import { domainOfSender, EntryProblem, type MadeId, type SeedTarget } from './seed-entries.ts';
import type { Entry } from './seed-file.ts';

/**
 * Stores a message and returns its id. Without status and events it is sent at its time like all
 * others; otherwise it has that history, with no consequences: no address is suppressed, no
 * campaign counts it.
 */
export function seedMessage({ store, now }: SeedTarget, entry: Entry<'messages'>, madeId: MadeId) {
  const id = entry.id ?? madeId(JSON.stringify(entry));
  const { at = now, campaignId, contactId } = entry;
  const email = {
    from: entry.from,
    to: addressList(entry.to),
    cc: addressList(entry.cc),
    bcc: addressList(entry.bcc),
    replyTo: addressList(entry.replyTo),
    subject: entry.subject,
    html: entry.html ?? null,
    text: entry.text ?? null,
    domainId: entry.domainId ?? domainOfSender(store, entry.from),
    scheduledAt: entry.scheduledAt ?? null,
    inReplyToId: entry.inReplyToId ?? undefined,
    headers: entry.headers,
    attachments: entry.attachments?.map(({ filename, content }) => ({
      filename,
      content: Buffer.from(content, 'base64'),
    })),
    campaign:
      campaignId === undefined || contactId === undefined
        ? undefined
        : { id: campaignId, contactId },
  };
  removeMessage(store, id);
  if (isToBeSent(entry)) storeEmail(store, email, at, id);
  else {
    insertEmail(store, email, at, id);
    storeHistory({ store, now }, entry, id, at);
  }
  if (email.campaign !== undefined && entry.unsubscribedAt !== undefined) {
    storeUnsubscription(store, id, email.campaign, entry.unsubscribedAt);
  }
  if (entry.updatedAt !== undefined) setUpdated(store, id, entry.updatedAt);
  return id;
}

function isToBeSent({ status, events }: Entry<'messages'>): boolean {
  if (status === 'SCHEDULED' && (events ?? []).length > 0) {
    throw new EntryProblem('is SCHEDULED, and so has no events yet');
  }
  return status === 'SCHEDULED' || (status === undefined && events === undefined);
}

function removeMessage(store: Store, id: string): void {
  const found = store.run('DELETE FROM emails WHERE id = ?', id);
  if (found === 0) return;
  store.run('DELETE FROM events WHERE email_id = ?', id);
  store.run('DELETE FROM unsubscriptions WHERE email_id = ?', id);
  removeJobs(store, 'email.release', id);
  removeJobs(store, 'email.report', id);
}

function storeUnsubscription(
  store: Store,
  emailId: string,
  campaign: { readonly id: string; readonly contactId: string },
  at: number,
): void {
  store.run(
    `INSERT INTO unsubscriptions (email_id, contact_id, campaign_id, created_at)
     VALUES (?, ?, ?, ?)`,
    emailId,
    campaign.contactId,
    campaign.id,
    at,
  );
}

/** Later events are reported at their time. */
function storeHistory(
  { store, now }: SeedTarget,
  { to, status, events = [] }: Entry<'messages'>,
  id: string,
  at: number,
): void {
  const [first = ''] = addressList(to);
  let latest: EmailStatus = status ?? 'QUEUED';
  let updatedAt = at;
  for (const event of events) {
    const { recipient = bareAddress(first), at: eventAt = at, data } = event;
    if (eventAt > now) {
      const detail = JSON.stringify({ status: event.status, recipient, data });
      addJob(store, { dueAt: eventAt, kind: 'email.report', subject: id, detail });
      continue;
    }
    store.run(
      `INSERT OR REPLACE INTO events (email_id, status, recipient, created_at, data)
       VALUES (?, ?, ?, ?, ?)`,
      id,
      event.status,
      recipient,
      eventAt,
      data === undefined ? null : JSON.stringify(data),
    );
    latest = higherStatus(latest, event.status);
    updatedAt = Math.max(updatedAt, eventAt);
  }
  store.run('UPDATE emails SET latest_status = ? WHERE id = ?', latest, id);
  setUpdated(store, id, updatedAt);
}

function setUpdated(store: Store, id: string, at: number): void {
  store.run('UPDATE emails SET updated_at = ? WHERE id = ?', at, id);
}
