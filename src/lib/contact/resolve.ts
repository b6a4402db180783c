import { withBook } from '../command/books.ts';
import type { Context } from '../command/context.ts';
import { dryRunByName } from '../command/named-dry-run.ts';
import { NotFoundError } from '../errors.ts';

/**
 * Does something with a contact, named by its id or its email address, of a book, named by its id or
 * its name. Throws a `NotFoundError` when the book has no contact with this address, and as `withBook`.
 */
export async function withContact<Value>(
  context: Context,
  book: string,
  named: string,
  use: (contactBookId: string, contactId: string) => Promise<Value>,
): Promise<Value> {
  const { isMailbox } = await import('../../api/address.ts');
  return await withBook(context, book, async (contactBookId) => {
    if (!isMailbox(named)) return await use(contactBookId, named);
    if (context.flags.dryRun === true) {
      return await dryRunByName(context, 'contact', named, (id) => use(contactBookId, id));
    }
    const query = { emails: named };
    const found = await context.call('contact.list', { params: { contactBookId }, query });
    const contact = found.find(({ email }) => email === named);
    if (contact !== undefined) return await use(contactBookId, contact.id);
    throw new NotFoundError(`The contact book ${book} has no contact ${named}.`);
  });
}
