import type { Contact } from '../../../api/contact.ts';
import { limits } from '../../../api/limits.ts';
import type { Reply } from '../../../api/operations.ts';
import { PartialError } from '../../base/errors.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { withBook } from '../../command-line/command/names/books.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { countAt } from '../../command-line/output/count-at.ts';
import { contactsByAddress } from './by-address.ts';

/** Contacts of a book as the service lists them. */
interface Listed {
  readonly contacts: readonly Contact[];
  /** The requested addresses that are not in the book. */
  readonly missing: readonly string[];
  /** Set if the service does not list all contacts of the book. */
  readonly failure?: PartialError | undefined;
}

/** The contacts of a book, or those with these addresses. Throws like `withBook`. */
export async function contactsListed(
  context: Context,
  book: string,
  addresses: readonly string[],
): Promise<Listed> {
  return await withBook(context, book, async (contactBookId) => {
    if (addresses.length > 0) {
      const contacts: Contact[] = [];
      const listed = contactsByAddress(context, contactBookId, addresses);
      for await (const found of listed) contacts.push(...found);
      const missing = new Set(addresses);
      for (const { email } of contacts) missing.delete(email);
      return { contacts, missing: [...missing] };
    }
    const params = { contactBookId };
    const contacts = await context.call('contact.list', { params, query: {} });
    const failure =
      contacts.length < limits.contactsPerList
        ? undefined
        : incomplete(context, contacts.length, await context.call('contactBook.get', { params }));
    return { contacts, missing: [], failure };
  });
}

/** The failure if a book has more contacts than the service listed. */
function incomplete(
  context: Context,
  listed: number,
  book: Reply<'contactBook.get'>,
): PartialError | undefined {
  const count = book._count?.contacts;
  if (typeof count === 'number' && count <= listed) return undefined;
  const all = countAt(book, '_count.contacts');
  const of = all === undefined ? '' : ` of ${grouped(all)}`;
  const show = nextCommand(context, 'contact', 'list', '--book', book.id, '--email', 'ADDRESS');
  return new PartialError(
    `The list has ${grouped(listed)}${of} contacts: the service lists no more of a book.`,
    { hint: `To show one of the others: ${show}` },
  );
}
