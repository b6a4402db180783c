import type { Contact, ContactBook } from '../../api/contact.ts';
import type { Context } from '../command/context.ts';
import { withBook } from '../command/names/books.ts';
import { dryRunByName } from '../command/names/named-dry-run.ts';
import { nextCommand } from '../command/next-command.ts';
import { NotFoundError } from '../errors.ts';

/**
 * Calls `use` with a contact, given by id or email address, of a book, given by id or name. `use` gets the
 * ids, and the contact if it was looked up. Throws a `NotFoundError` if the book has no contact with this
 * address, unless `ifMissing` is given, and otherwise like `withBook`.
 */
export async function withContact<Value>(
  context: Context,
  book: string,
  named: string,
  use: (contactBookId: string, contactId: string, contact?: Contact) => Promise<Value>,
  ifMissing?: (book: ContactBook) => Promise<Value>,
): Promise<Value> {
  const { isMailbox } = await import('../../api/address.ts');
  return await withBook(context, book, async (contactBookId, listed) => {
    if (!isMailbox(named)) return await use(contactBookId, named);
    if (context.flags.dryRun === true) {
      return await dryRunByName(context, 'contact', named, (id) => use(contactBookId, id));
    }
    const contact = await contactOf(context, contactBookId, named);
    if (contact !== undefined) return await use(contactBookId, contact.id, contact);
    if (ifMissing !== undefined) {
      return await ifMissing(
        listed ?? (await context.call('contactBook.get', { params: { contactBookId } })),
      );
    }
    throw new NotFoundError(`The contact book ${book} has no contact ${named}.`, {
      hint: `To list its contacts: ${nextCommand(context, 'contact', 'list', '--book', book)}`,
    });
  });
}

/** The contact of a book with this address; undefined if there is none. */
export async function contactOf(
  context: Context,
  contactBookId: string,
  email: string,
): Promise<Contact | undefined> {
  const query = { emails: email };
  const found = await context.call('contact.list', { params: { contactBookId }, query });
  return found.find((one) => one.email === email);
}
