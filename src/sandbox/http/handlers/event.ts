import { ApiError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../call.ts';
import type { LiveInput } from '../live-inputs.ts';

/** Events start nothing here; `sandbox logs` shows them. */
export const eventHandlers: Handlers<'event.send'> = {
  'event.send': ({ store, input }) => ({ contactId: contactOf(store, input.body) }),
};

function contactOf(
  store: Store,
  { contactId, email, contactBookId }: LiveInput<'event.send'>['body'],
): string {
  const where = 'SELECT id FROM contacts WHERE (? IS NULL OR book_id = ?)';
  const book = contactBookId ?? null;
  const [column, value] = contactId === undefined ? ['email', email] : ['id', contactId];
  const found = store.value<string>(`${where} AND ${column} = ?`, book, book, value ?? null);
  if (found === undefined) throw new ApiError('NOT_FOUND', 'Contact not found');
  return found;
}
