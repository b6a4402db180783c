import { bookExists, storeContact } from '../../model/contact/contacts.ts';
import { ApiError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../call.ts';
import type { LiveInput } from '../live-inputs.ts';

/** Events start nothing here; `sandbox logs` shows them. */
export const eventHandlers: Handlers<'event'> = {
  'event.send': ({ store, now, input: { body } }) => {
    if (body.name === '') throw new ApiError('BAD_REQUEST', 'An event needs a name');
    return { contactId: store.write(() => contactOf(store, body, now)) };
  },
};

/**
 * The id of an event's contact. As on live servers, an address is looked up in all books, and one that none of
 * them has becomes a subscribed contact of `contactBookId`. Throws `ApiError` BAD_REQUEST.
 */
function contactOf(
  store: Store,
  { contactId, email, contactBookId }: LiveInput<'event.send'>['body'],
  now: number,
): string {
  const newest = 'SELECT id FROM contacts WHERE email = ? ORDER BY created_at DESC, id DESC';
  const found =
    contactId === undefined
      ? store.value<string>(newest, email ?? null)
      : store.value<string>('SELECT id FROM contacts WHERE id = ?', contactId);
  if (found !== undefined) return found;
  if (contactId !== undefined || email === undefined || contactBookId === undefined) {
    throw new ApiError('BAD_REQUEST', 'Contact not found');
  }
  if (!bookExists(store, contactBookId)) {
    throw new ApiError('BAD_REQUEST', 'Contact book not found');
  }
  return storeContact(store, { bookId: contactBookId, email, optIn: false }, now);
}
