import { limits } from '../../api/limits.ts';
import type { Context } from '../command/context.ts';
import { ifShown } from '../command/if-shown.ts';
import { comparedAddress } from '../policy/pattern.ts';

/**
 * The addresses in a contact book, as `comparedKey` writes them, and whether the service lists all; undefined if it lists
 * none to this key. Throws other errors, which may pass, with `undone`.
 */
export async function bookAddresses(context: Context, contactBookId: string, undone: string) {
  const ask = () => context.call('contact.list', { params: { contactBookId }, query: {} });
  const contacts = await ifShown(ask, undone);
  return (
    contacts && {
      addresses: new Set(contacts.map(({ email }) => comparedKey(email))),
      isWhole: contacts.length < limits.contactsPerList,
    }
  );
}

/** The address of a mailbox, the same for every way to write it. */
export function comparedKey(mailbox: string | null | undefined): string {
  const { local, domain } = comparedAddress(mailbox ?? '') ?? { local: mailbox ?? '', domain: '' };
  return `${local}@${domain}`;
}
