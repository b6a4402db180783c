import type { ContactBook } from '../../../api/contact.ts';
import type { Choosable } from '../../completion/offer.ts';
import {
  type MailerError,
  NotFoundError,
  RejectedError,
  UsageError,
  withHint,
} from '../../errors.ts';
import { looksLikeId } from '../../text/looks-like-id.ts';
import type { Context } from '../context.ts';
import { nextCommand } from '../next-command.ts';
import { idGiven } from './last-made.ts';
import { dryRunByName } from './named-dry-run.ts';

/** The need for a contact book, for `askForValues`: chosen from a list where it is not given. */
export function bookNeed(context: Context, given: string | undefined) {
  return {
    flag: '--book',
    question: 'Contact book',
    value: given,
    ask: () => chosen(context, 'books'),
  } as const;
}

/** The need for a contact of a book: chosen from a list where it is not given. */
export function contactNeed(context: Context, given: string | undefined, book: string | undefined) {
  return {
    flag: '--contact',
    question: 'Contact',
    value: given,
    ask: () => chosen(context, 'contacts', book),
  } as const;
}

async function chosen(context: Context, kind: Choosable, book?: string): Promise<string> {
  const { choose } = await import('../ask/choose.ts');
  return await choose(context, kind, book);
}

/** What is done with a contact book: it gets the id, and the book where it was looked up. */
type Use<Value> = (id: string, book?: ContactBook) => Promise<Value>;

/**
 * Does something with the contact book whose id or exact name is `given`, or `@last`. What looks like an id is used
 * as one, and is a name only when the service has no such id; everything else is looked up as a name.
 *
 * Throws a `UsageError` for a name that several books have, and a `NotFoundError` when there is none.
 */
export async function withBook<Value>(
  context: Context,
  given: string,
  use: Use<Value>,
): Promise<Value> {
  // A file may hold anything; the contract is checked before anything is sent.
  if (typeof given !== 'string') return await use(given);
  const named = await nameOf(context, given);
  if (looksLikeId(named)) return await withId(context, named, use);
  if (context.flags.dryRun === true) return await dryRunByName(context, 'contact book', named, use);
  return await withName(context, named, use);
}

/**
 * The same for a request that has the book in its body. What looks like an id is looked up before: not every
 * service says of such a request that there is no such book.
 */
export async function withCheckedBook<Value>(
  context: Context,
  given: string,
  use: (id: string) => Promise<Value>,
): Promise<Value> {
  return await withBook(context, given, async (contactBookId, book) => {
    if (book === undefined && context.flags.dryRun !== true) {
      await context.call('contactBook.get', { params: { contactBookId } });
    }
    return await use(contactBookId);
  });
}

/** A contact book by its id, exact name or `@last`, in full, in a dry run too. Errors are as above. */
export async function fetchBook(context: Context, given: string): Promise<ContactBook> {
  const fetch: Use<ContactBook> = async (contactBookId, book) =>
    book ?? (await context.call('contactBook.get', { params: { contactBookId } }));
  const named = await nameOf(context, given);
  return await (looksLikeId(named) ? withId : withName)(context, named, fetch);
}

async function nameOf(context: Context, given: string): Promise<string> {
  if (given.trim() === '') throw new UsageError("The contact book's id or name is empty");
  return await idGiven(context, 'contact book', given);
}

async function withName<Value>(context: Context, name: string, use: Use<Value>): Promise<Value> {
  const book = await findBook(context, name);
  if (book !== undefined) return await use(book.id, book);
  throw new NotFoundError(`There is no contact book ${JSON.stringify(name)}.`, {
    hint: whatThereIs(context),
  });
}

function whatThereIs(context: Context): string {
  return `To list the contact books: ${nextCommand(context, 'contact', 'book', 'list')}`;
}

async function withId<Value>(context: Context, id: string, use: Use<Value>): Promise<Value> {
  try {
    return await use(id);
  } catch (error) {
    if (!mayBeName(id, error)) throw error;
    const book = await findBook(context, id).catch((why: unknown) => {
      throw why instanceof UsageError ? why : error;
    });
    if (book === undefined)
      throw withHint(error, ({ details }) => details.hint ?? whatThereIs(context));
    if (book.id === id) throw error;
    return await use(book.id, book);
  }
}

/** Whether an error may be due to a name in place of an id, and nothing was done. */
function mayBeName(id: string, error: unknown): error is MailerError {
  // With an unknown outcome, the 404 may say that a first delete went through.
  if (error instanceof NotFoundError) return !error.outcomeUnknown;
  // As a field of a request, one that does not exist is a 400; ids that services make have digits.
  return error instanceof RejectedError && !/[\d_]/.test(id);
}

/** The book of this id, else of this name. A `UsageError` when several have the name. */
async function findBook(context: Context, named: string): Promise<ContactBook | undefined> {
  const books = await context.call('contactBook.list', {});
  const byId = books.find(({ id }) => id === named);
  const found = byId === undefined ? books.filter(({ name }) => name === named) : [byId];
  const [first, ...others] = found;
  if (others.length === 0) return first;
  throw new UsageError(
    [
      `${found.length} contact books are named ${JSON.stringify(named)}:`,
      ...found.map(({ id, _count }) =>
        [`  ${id}`, ...(_count?.contacts == null ? [] : [`${_count.contacts} contacts`])].join(
          '  ',
        ),
      ),
    ].join('\n'),
    { hint: 'Use the id instead.' },
  );
}
