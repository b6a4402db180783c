import { bareAddress } from '../../../api/bare-address.ts';
import { limits } from '../../../api/limits.ts';
import type { Context } from '../../command-line/command/context.ts';
import { fetchIfAvailable } from '../../command-line/command/fetch-if-available.ts';

/**
 * The bare addresses in a contact book, and whether the service lists all; undefined if it lists
 * none to this key. Throws other errors, which may pass, with `undone`.
 */
export async function bookAddresses(context: Context, contactBookId: string, undone: string) {
  const ask = () => context.call('contact.list', { params: { contactBookId }, query: {} });
  const contacts = await fetchIfAvailable(ask, undone);
  return (
    contacts && {
      addresses: new Set(contacts.map(({ email }) => bareAddress(email ?? ''))),
      isWhole: contacts.length < limits.contactsPerList,
    }
  );
}
