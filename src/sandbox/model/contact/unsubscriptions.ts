import type { Store } from '../../store/store.ts';
import { tellContact, unsubscribed } from './contacts.ts';

/** The recipient that an unsubscribe link is for. */
export interface LinkTarget {
  readonly campaignId: string;
  readonly contactId: string;
  /** Undefined if the contact was deleted. */
  readonly contact: LinkedContact | undefined;
}

export interface LinkedContact {
  readonly email: string;
  /** The name of the contact book. */
  readonly book: string;
}

export function findSubscriber(store: Store, contactId: string): LinkedContact | undefined {
  return store.one<LinkedContact>(
    `SELECT email, name AS book FROM contacts JOIN contact_books ON book_id = contact_books.id
     WHERE contacts.id = ?`,
    contactId,
  );
}

/** The recipient of this email; undefined if it is not an email of a campaign. */
export function findLinkTarget(store: Store, emailId: string): LinkTarget | undefined {
  const email = store.one<{ campaignId: string; contactId: string }>(
    `SELECT campaign_id, contact_id FROM emails
     WHERE id = ? AND campaign_id IS NOT NULL`,
    emailId,
  );
  return email && { ...email, contact: findSubscriber(store, email.contactId) };
}

/**
 * Unsubscribes the recipient of this email of a campaign, and counts it for the campaign unless they were
 * unsubscribed before. Returns undefined if it is not an email of a campaign. Call it in a transaction.
 */
export function unsubscribe(store: Store, emailId: string, now: number): LinkTarget | undefined {
  const target = findLinkTarget(store, emailId);
  if (target === undefined || !setSubscribed(store, target.contactId, false, now)) return target;
  const { contactId, campaignId } = target;
  const row = { emailId, contactId, campaignId, createdAt: now };
  if (store.insertNew('unsubscriptions', row)) count(store, campaignId, 1);
  return target;
}

/** Undoes `unsubscribe` and its count, whichever email it came from. */
export function resubscribe(store: Store, emailId: string, now: number): LinkTarget | undefined {
  const target = findLinkTarget(store, emailId);
  if (target === undefined || !setSubscribed(store, target.contactId, true, now)) return target;
  const counted = store.all<{ campaignId: string }>(
    'SELECT campaign_id FROM unsubscriptions WHERE contact_id = ?',
    target.contactId,
  );
  for (const { campaignId } of counted) count(store, campaignId, -1);
  store.run('DELETE FROM unsubscriptions WHERE contact_id = ?', target.contactId);
  return target;
}

/** Returns false if nothing changed. */
function setSubscribed(store: Store, contactId: string, subscribed: boolean, now: number): boolean {
  const changed = store.run(
    `UPDATE contacts SET subscribed = ?, unsubscribe_reason = ?, updated_at = ?
     WHERE id = ? AND subscribed <> ?`,
    subscribed,
    subscribed ? null : unsubscribed,
    now,
    contactId,
    subscribed,
  );
  if (changed > 0) tellContact(store, 'contact.updated', contactId, now);
  return changed > 0;
}

function count(store: Store, campaignId: string, difference: number): void {
  store.run(
    'UPDATE campaigns SET unsubscribed = unsubscribed + ? WHERE id = ?',
    difference,
    campaignId,
  );
}
