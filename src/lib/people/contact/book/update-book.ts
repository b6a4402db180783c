import type { ContactBook, UpdateContactBookBody } from '../../../../api/contact.ts';
import { UsageError } from '../../../base/errors.ts';
import { defined } from '../../../base/json/defined.ts';
import { quotedNames } from '../../../base/text/quoted-names.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { hasKey } from '../../../command-line/command/has-key.ts';
import { fetchBook, withBook } from '../../../command-line/command/names/books.ts';
import { refuseNameTaken } from '../../../command-line/command/names/if-missing.ts';
import { withoutDigest } from '../../../command-line/command/names/named-dry-run.ts';
import { explainSender } from '../../../command-line/command/names/sender-domain.ts';
import { passBook } from '../../../mail/message/pass-book.ts';
import { namedBy } from '../../../service/http/named-by.ts';
import { bookFields } from './book-fields.ts';
import { type UpdateBookFlags, updateBookFlagOf } from './book-flags.ts';

interface BookChanges {
  /** Not checked against the contract yet; the client does that. */
  readonly fields: UpdateContactBookBody;
  /** Whether the texts of the email that asks for confirmation are meant as they are written. */
  readonly literal?: boolean | undefined;
  readonly allowDuplicate?: boolean | undefined;
  readonly variables: ListChange<readonly string[]> | undefined;
  readonly properties: ListChange<Readonly<Record<string, unknown>>> | undefined;
}

/** The changes in the flags. Throws a `UsageError` if there are none. */
export async function readBookChanges(
  context: Context,
  flags: UpdateBookFlags,
): Promise<BookChanges> {
  const { properties: add, ...others } = await bookFields(context, flags);
  const fields: UpdateContactBookBody = defined(others);
  const { addVariable, removeVariable, removeProperty } = flags;
  const variables =
    addVariable || removeVariable
      ? { add: addVariable ?? [], remove: removeVariable ?? [] }
      : undefined;
  const properties =
    add || removeProperty ? { add: add ?? {}, remove: removeProperty ?? [] } : undefined;
  if (Object.keys(fields).length === 0 && !variables && !properties) {
    throw new UsageError('There is nothing to change', {
      hint: 'Give --name, --double-opt-in, --add-variable or another change: see --help.',
    });
  }
  const { literal, allowDuplicate } = flags;
  return { fields, variables, properties, literal, allowDuplicate };
}

/**
 * Changes a contact book. The service replaces whole lists, so the book is read first to keep the other
 * variables and properties. Throws like `withBook`.
 */
export async function changeBook(
  context: Context,
  named: string,
  { fields, variables, properties, literal, allowDuplicate }: BookChanges,
): Promise<ContactBook> {
  const { doubleOptInFrom: from } = fields;
  const passed = await passBook(context, fields, 'Nothing was changed.', literal);
  try {
    const changesLists = variables !== undefined || properties !== undefined;
    const shown =
      changesLists && context.flags.dryRun === true ? await bookShown(context, named) : undefined;
    return await withBook(context, shown?.id ?? named, async (contactBookId, listed) => {
      const params = { contactBookId };
      if (fields.name !== undefined && allowDuplicate !== true) {
        const wanted = { id: contactBookId, name: fields.name };
        const list = () => context.call('contactBook.list', {});
        await refuseNameTaken(context, 'contact book', wanted, list);
      }
      const isKnown = !changesLists || context.flags.dryRun !== true || shown !== undefined;
      const book =
        changesLists && isKnown
          ? (shown ?? listed ?? (await context.call('contactBook.get', { params })))
          : undefined;
      // The client checks every field against the contract, including the properties in a file.
      const body = {
        ...fields,
        ...(variables && { variables: changedVariables(book?.variables, variables) }),
        ...(properties && { properties: changedProperties(book?.properties, properties) }),
      } as UpdateContactBookBody;
      const input = { params, body };
      const call = () => context.callPassed(passed, 'contactBook.update', input, { nameOf });
      return await (isKnown ? call() : withoutDigest(call));
    });
  } catch (error) {
    throw await explainSender(error, context, from ? [from] : []);
  }
}

/** The book in a dry run; undefined without a key. */
async function bookShown(context: Context, named: string): Promise<ContactBook | undefined> {
  if (await hasKey(context)) return await fetchBook(context, named);
  context.notes.say(
    "The book's other variables or properties would be looked up first; the body then includes them.",
  );
  return undefined;
}

const nameOf = namedBy({ ...updateBookFlagOf, contactBookId: 'BOOK' });

/** Additions to a list or map of a contact book, and names to remove. */
interface ListChange<Added> {
  readonly add: Added;
  readonly remove: readonly string[];
}

/**
 * The variables after a change. Services ignore the case of names. Throws a `UsageError` if one to remove
 * does not exist. If `before` is undefined, the variables are unknown, as in a dry run.
 */
function changedVariables(
  before: ContactBook['variables'],
  { add, remove }: ListChange<readonly string[]>,
): string[] {
  const kept = new Map((before ?? []).map((name) => [name.toLowerCase(), name]));
  const missing = remove.filter((name) => !kept.delete(name.toLowerCase()));
  if (before) refuseMissing('--remove-variable', missing, before);
  for (const name of add) {
    const plain = name.toLowerCase();
    if (!kept.has(plain)) kept.set(plain, name);
  }
  return [...kept.values()];
}

/** The same for properties, whose case matters. An added property replaces one with the same name. */
function changedProperties(
  before: ContactBook['properties'],
  { add, remove }: ListChange<Readonly<Record<string, unknown>>>,
): Record<string, unknown> {
  const kept = new Map(Object.entries(before ?? {}));
  const missing = remove.filter((name) => !kept.delete(name));
  if (before) refuseMissing('--remove-property', missing, Object.keys(before));
  return Object.fromEntries([...kept, ...Object.entries(add)]);
}

function refuseMissing(flag: string, missing: readonly string[], there: readonly string[]): void {
  if (missing.length === 0) return;
  throw new UsageError(`${flag}: the contact book has no ${quotedNames(missing)}`, {
    hint: there.length === 0 ? 'It has none.' : `It has: ${quotedNames(there)}`,
  });
}
