import type { CreateContactBody } from '../../../api/contact.ts';
import type { Store } from '../../store/store.ts';
import { addJob, type Job } from '../jobs.ts';
import { bookExists, checkBook, storeContact } from './contacts.ts';

/** Milliseconds until queued contacts are stored. */
const untilStored = 1000;

/**
 * Queues contacts as live servers do for a bulk request: they reach the book a moment later. Throws
 * `ApiError` NOT_FOUND for an unknown book.
 */
export function queueContacts(
  store: Store,
  bookId: string,
  contacts: readonly CreateContactBody[],
  now: number,
): void {
  checkBook(store, bookId);
  for (const contact of contacts) {
    addJob(store, {
      dueAt: now + untilStored,
      kind: 'contact.store',
      subject: bookId,
      detail: JSON.stringify(contact),
    });
  }
}

/** Stores a queued contact, unless its book was deleted meanwhile. */
export function storeQueuedContact(store: Store, { subject: bookId, detail, dueAt }: Job): void {
  if (!bookExists(store, bookId)) return;
  // Only `queueContacts` adds these jobs, with this detail.
  storeContact(store, { ...(JSON.parse(detail) as CreateContactBody), bookId }, dueAt);
}
