import type { Contact, ContactBook } from '../../../api/contact.ts';
import { limits } from '../../../api/limits.ts';
import type { Context } from '../../command/context.ts';
import { grouped } from '../../text/quantity.ts';
import { contactsByAddress } from '../by-address.ts';

/** A contact book with the contacts of it that could be read. */
export interface BookRead {
  readonly book: ContactBook;
  readonly contacts: readonly Contact[];
  /** How many contacts the book has; undefined if the service does not say so. */
  readonly count: number | undefined;
  /** Whether `contacts` are all of them. */
  readonly isWhole: boolean;
}

/**
 * Reads the contacts of a book. If it has more than the service lists, those of `others`, which are
 * addresses, are asked for, too.
 */
export async function readBook(
  context: Pick<Context, 'call' | 'report'>,
  given: ContactBook,
  others: Iterable<string> = [],
): Promise<BookRead> {
  const params = { contactBookId: given.id };
  const contacts = new Map<string, Contact>();
  const add = (found: readonly Contact[]) => {
    for (const contact of found) contacts.set(contact.id, contact);
  };
  add(await context.call('contact.list', { params, query: {} }));
  const isWhole = ({ _count }: ContactBook) =>
    contacts.size >= (_count?.contacts ?? (contacts.size < limits.contactsPerList ? 0 : Infinity));
  // Some may have been deleted since they were counted.
  const book = isWhole(given) ? given : await context.call('contactBook.get', { params });
  if (!isWhole(book)) {
    const listed = new Set([...contacts.values()].map(({ email }) => email));
    const unlisted = [...others].filter((address) => !listed.has(address));
    for await (const { found } of contactsByAddress(context, book.id, unlisted)) {
      add(found);
      context.report(`Read ${grouped(contacts.size)} contacts`, '');
    }
  }
  const count = book._count?.contacts ?? undefined;
  return { book, contacts: [...contacts.values()], count, isWhole: isWhole(book) };
}
