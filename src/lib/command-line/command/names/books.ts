import type { ContactBook } from '../../../../api/contact.ts';
import {
  type MailerError,
  NotFoundError,
  RejectedError,
  UsageError,
  withHint,
} from '../../../base/errors.ts';
import { looksLikeId } from '../../../base/text/looks-like-id.ts';
import { visible } from '../../../base/text/visible.ts';
import type { Choosable } from '../../completion/offer.ts';
import { countAt } from '../../output/count-at.ts';
import { bestEffort } from '../best-effort.ts';
import type { Context } from '../context.ts';
import { idGiven } from './last-made.ts';
import { noneNamed, oneMeant, refuseEmpty } from './named.ts';
import { dryRunByName } from './named-dry-run.ts';

const kind = 'contact book';

/** A contact book for `askForValues`: chosen from a list if not given. */
export function bookNeed(context: Context, given: string | undefined) {
  return {
    flag: '--book',
    question: 'Contact book',
    value: given,
    ask: () => chosen(context, 'books'),
  } as const;
}

/** A contact of a book for `askForValues`: chosen from a list if not given. */
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

/** Uses a contact book. Gets the id, and the book if it was looked up. */
type Use<Value> = (id: string, book?: ContactBook) => Promise<Value>;

/**
 * Uses the contact book with `given` as its id or exact name; `@last` works, too. What looks like
 * an id is used as an id, and looked up as a name only if the service has no such id. Everything
 * else is looked up as a name.
 *
 * Throws a `UsageError` if several books have the name, and a `NotFoundError` if none has.
 */
export async function withBook<Value>(
  context: Context,
  given: string,
  use: Use<Value>,
): Promise<Value> {
  // A file may hold anything; the contract is checked before the request is sent.
  if (typeof given !== 'string') return await use(given);
  const named = await nameOf(context, given);
  if (looksLikeId(named)) return await withId(context, named, use);
  if (context.flags.dryRun === true) return await dryRunByName(context, kind, named, use);
  return await withName(context, named, use);
}

/**
 * The same for a request with the book in its body. What looks like an id is looked up first,
 * because not every service reports an unknown book in such a request. `use` gets the book, except in a dry run.
 */
export async function withCheckedBook<Value>(
  context: Context,
  given: string,
  use: Use<Value>,
): Promise<Value> {
  return await withBook(context, given, async (contactBookId, listed) => {
    if (listed !== undefined || context.flags.dryRun === true)
      return await use(contactBookId, listed);
    const params = { contactBookId };
    return await use(contactBookId, await context.call('contactBook.get', { params }));
  });
}

/** A contact book by id, exact name or `@last`, even in a dry run. Same errors as above. */
export async function fetchBook(context: Context, given: string): Promise<ContactBook> {
  const fetch: Use<ContactBook> = async (contactBookId, book) =>
    book ?? (await context.call('contactBook.get', { params: { contactBookId } }));
  const named = await nameOf(context, given);
  return await (looksLikeId(named) ? withId : withName)(context, named, fetch);
}

async function nameOf(context: Context, given: string): Promise<string> {
  refuseEmpty(kind, given);
  return await idGiven(context, kind, given);
}

async function withName<Value>(context: Context, name: string, use: Use<Value>): Promise<Value> {
  const book = await findBook(context, name);
  if (book === undefined) throw noneNamed(context, kind, name);
  context.names.set(book.id, name);
  return await use(book.id, book);
}

async function withId<Value>(context: Context, id: string, use: Use<Value>): Promise<Value> {
  try {
    return await use(id);
  } catch (error) {
    if (!mayBeName(id, error)) throw error;
    const book = await findBook(context, id).catch((why: unknown) => {
      throw why instanceof UsageError ? why : error;
    });
    if (book === undefined) {
      throw error instanceof RejectedError
        ? noneNamed(context, kind, id)
        : withHint(error, ({ details }) => {
            const { message, details: own } = noneNamed(context, kind, id);
            return details.hint ?? `${message} ${own.hint}`;
          });
    }
    if (book.id === id) throw error;
    return await use(book.id, book);
  }
}

/**
 * The error of a request with this book in its body: a `NotFoundError` if the account has no such book; with
 * a hint if it is the name of one.
 */
export async function explainBook<Thrown>(
  thrown: Thrown,
  context: Context,
  given: string,
): Promise<Thrown | MailerError> {
  const named = await nameOf(context, given);
  const books = await bestEffort(context, (within) => context.call('contactBook.list', {}, within));
  if (books === undefined || books.some(({ id }) => id === named)) return thrown;
  const [first] = books.filter(({ name }) => name === named);
  if (first === undefined) return noneNamed(context, kind, named);
  // Other names were replaced by their ids before the request.
  return looksLikeId(named)
    ? withHint(
        thrown,
        `${JSON.stringify(named)} is the name of a contact book. Use its id: ${visible(first.id)}`,
      )
    : thrown;
}

/** Whether the error may come from a name used as an id, and nothing was done. */
function mayBeName(id: string, error: unknown): error is MailerError {
  // If the outcome is unknown, the 404 may come from a first delete that worked.
  if (error instanceof NotFoundError) return !error.outcomeUnknown;
  // An unknown book in a body is a 400. Generated ids contain digits.
  return error instanceof RejectedError && !/[\d_]/.test(id);
}

/** The book with this id, else with this name. Throws a `UsageError` if several have the name. */
async function findBook(context: Context, named: string): Promise<ContactBook | undefined> {
  return oneMeant(await context.call('contactBook.list', {}), kind, named, (book) => {
    const count = countAt(book, '_count.contacts');
    return count === undefined ? [] : [`${count} contacts`];
  });
}
