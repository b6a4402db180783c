import { bareAddress } from '../../api/bare-address.ts';
import type { EmailStatus } from '../../api/email-status.ts';
import { addressList } from '../model/addresses.ts';
import { deleteEmails } from '../model/email/delete-emails.ts';
import { higherStatus, insertEmail, storeEmail } from '../model/email/emails.ts';
import { addJob } from '../model/jobs.ts';
import type { Store } from '../store/store.ts';
import { domainOfSender, EntryProblem, type MadeId, type SeedTarget } from './seed-entries.ts';
import type { Entry } from './seed-file.ts';

/**
 * Stores a message and returns its id. Without status and events, it is sent at its time like any
 * other. Otherwise it has that history, which changes no suppressions and no counts of campaigns.
 */
export function seedMessage({ store, now }: SeedTarget, entry: Entry<'messages'>, madeId: MadeId) {
  const id = entry.id ?? madeId(JSON.stringify(entry));
  const { at = now, campaignId, contactId } = entry;
  const campaign =
    campaignId === undefined || contactId === undefined ? undefined : { id: campaignId, contactId };
  const domainId = entry.domainId ?? domainOfSender(store, entry.from);
  const email = { ...entry, domainId, campaign };
  removeMessage(store, id);
  if (isToBeSent(entry)) storeEmail(store, email, at, id);
  else {
    insertEmail(store, email, at, id);
    storeHistory({ store, now }, entry, id, at);
  }
  if (campaign !== undefined && entry.unsubscribedAt !== undefined) {
    const { id: campaignId, contactId } = campaign;
    const row = { emailId: id, contactId, campaignId, createdAt: entry.unsubscribedAt };
    store.insert('unsubscriptions', row);
  }
  if (entry.updatedAt !== undefined) store.update('emails', id, { updatedAt: entry.updatedAt });
  return id;
}

function isToBeSent({ status, events }: Entry<'messages'>): boolean {
  if (status === 'SCHEDULED' && (events ?? []).length > 0) {
    throw new EntryProblem('is SCHEDULED, so it cannot have events');
  }
  return status === 'SCHEDULED' || (status === undefined && events === undefined);
}

function removeMessage(store: Store, id: string): void {
  const seq = store.value<number>('SELECT seq FROM emails WHERE id = ?', id);
  if (seq !== undefined) deleteEmails(store, [seq]);
}

/** Stores past events, and schedules the others. */
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
    const { status, recipient = bareAddress(first), at: eventAt = at, data } = event;
    if (eventAt > now) {
      const detail = JSON.stringify({ status, recipient, data });
      addJob(store, { dueAt: eventAt, kind: 'email.report', subject: id, detail });
      continue;
    }
    const row = { emailId: id, status, recipient, createdAt: eventAt, data };
    store.insert('events', row, 'email_id, status, recipient');
    latest = higherStatus(latest, status);
    updatedAt = Math.max(updatedAt, eventAt);
  }
  store.update('emails', id, { latestStatus: latest, updatedAt });
}
