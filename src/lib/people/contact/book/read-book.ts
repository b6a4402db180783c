import type { Contact, ContactBook } from '../../../../api/contact.ts';
import { limits } from '../../../../api/limits.ts';
import { grouped } from '../../../base/text/quantity.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { contactsByAddress } from '../by-address.ts';

/** A contact book and those of its contacts that could be read; `isWhole` if these are all. */
export type BookRead = Awaited<ReturnType<typeof readBook>>;

/**
 * Reads the contacts of a book. If the service does not list all, also requests those with the addresses
 * `others`.
 */
export async function readBook(
  context: Pick<Context, 'call' | 'report'>,
  given: ContactBook,
  others: Iterable<string> = [],
) {
  const params = { contactBookId: given.id };
  const contacts = new Map<string, Contact>();
  const add = (found: readonly Contact[]) => {
    for (const contact of found) contacts.set(contact.id, contact);
  };
  add(await context.call('contact.list', { params, query: {} }));
  const isWhole = ({ _count }: ContactBook) =>
    contacts.size >= (_count?.contacts ?? (contacts.size < limits.contactsPerList ? 0 : Infinity));
  // Some contacts may have been deleted since they were counted.
  const book = isWhole(given) ? given : await context.call('contactBook.get', { params });
  if (!isWhole(book)) {
    const listed = new Set([...contacts.values()].map(({ email }) => email));
    const unlisted = [...others].filter((address) => !listed.has(address));
    for await (const found of contactsByAddress(context, book.id, unlisted)) {
      add(found);
      context.report(`Read ${grouped(contacts.size)} contacts`, '');
    }
  }
  return { book, contacts: [...contacts.values()], isWhole: isWhole(book) };
}
