import type { Contact, ContactBook } from '../../../../api/contact.ts';
import { NotFoundError, UsageError } from '../../../base/errors.ts';
import { quotedNames } from '../../../base/text/quoted-names.ts';
import type { Context } from '../context.ts';
import { nextCommand } from '../next-command.ts';
import { withBook } from './books.ts';
import { dryRunByName } from './named-dry-run.ts';

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
  const { isMailbox } = await import('../../../../api/address.ts');
  return await withBook(context, book, async (contactBookId, listed) => {
    if (!isMailbox(named)) return await use(contactBookId, named);
    if (context.flags.dryRun === true) {
      return await dryRunByName(context, 'contact', named, (id) => use(contactBookId, id));
    }
    const contact = await contactOf(context, contactBookId, named);
    if (contact !== undefined) {
      context.names.set(contact.id, named);
      return await use(contactBookId, contact.id, contact);
    }
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

/**
 * The contact of a book with this address; undefined if there is none. The service compares addresses exactly, so
 * one that is stored in other capitals is looked for in its list, which has at most 5,000 contacts. Throws a
 * `UsageError` if several differ only in capitals.
 */
export async function contactOf(
  context: Context,
  contactBookId: string,
  email: string,
): Promise<Contact | undefined> {
  const params = { contactBookId };
  const plain = email.toLowerCase();
  const emails = [...new Set([email, plain])].join(',');
  const found = await context.call('contact.list', { params, query: { emails } });
  const exact = found.find((one) => one.email === email);
  if (exact !== undefined) return exact;
  const all = found.length > 0 ? found : await context.call('contact.list', { params, query: {} });
  const same = all.filter((one) => one.email.toLowerCase() === plain);
  const [only, another] = same;
  if (only === undefined || another === undefined) return only;
  throw new UsageError(`Several contacts have the address ${email} in other capitals`, {
    hint: `They are: ${quotedNames(same.map((one) => one.email))}`,
  });
}
