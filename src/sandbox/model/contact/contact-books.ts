import { ApiError } from '../../store/errors.ts';
import { stringRecord, strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';
import { teamId } from '../account.ts';
import { newId } from '../ids.ts';
import {
  changedDoubleOptIn,
  type DoubleOptIn,
  type DoubleOptInFields,
  usualDoubleOptIn,
} from './double-opt-in.ts';

/** A book as `bookColumns` select it. */
export interface BookRow extends Omit<DoubleOptIn, 'doubleOptInEnabled'> {
  id: string;
  name: string;
  emoji: string;
  properties: string;
  variables: string;
  doubleOptInEnabled: number;
  createdAt: number;
  updatedAt: number;
}

/** The columns of a book, except the number of its contacts. */
export const bookColumns = `id, name, emoji, properties, variables,
  double_opt_in_enabled AS doubleOptInEnabled, double_opt_in_from AS doubleOptInFrom,
  double_opt_in_subject AS doubleOptInSubject, double_opt_in_content AS doubleOptInContent,
  created_at AS createdAt, updated_at AS updatedAt`;

const select = `SELECT ${bookColumns},
  (SELECT count(*) FROM contacts WHERE book_id = contact_books.id) AS contacts
  FROM contact_books`;

interface CountedRow extends BookRow {
  contacts: number;
}

/** The default emoji of a book. */
export const defaultEmoji = '📙';

/** The fields of a contact book to change; omitted ones keep their values. */
interface BookFields extends DoubleOptInFields {
  readonly name?: string | undefined;
  readonly emoji?: string | undefined;
  readonly properties?: Readonly<Record<string, string>> | undefined;
  readonly variables?: readonly string[] | undefined;
}

/**
 * Stores a contact book and returns its id. Its contacts must confirm their subscription unless it
 * is said that they need not. Throws `ApiError` as `updateBook` does.
 */
export function storeBook(
  store: Store,
  book: BookFields & { readonly name: string },
  now: number,
  id = newId(now),
): string {
  const optIn = changedDoubleOptIn(store, usualDoubleOptIn, book);
  store.run(
    `INSERT INTO contact_books (id, name, emoji, properties, variables, double_opt_in_enabled,
       double_opt_in_from, double_opt_in_subject, double_opt_in_content, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    book.name,
    book.emoji ?? defaultEmoji,
    JSON.stringify(book.properties ?? {}),
    JSON.stringify(checkedVariables(book.variables ?? [])),
    ...optInValues(optIn),
    now,
    now,
  );
  return id;
}

/**
 * Changes a contact book. Throws `ApiError` NOT_FOUND if there is none with this id, and
 * BAD_REQUEST for a variable with the name of what every contact has, or as `changedDoubleOptIn`.
 */
export function updateBook(store: Store, id: string, fields: BookFields, now: number): void {
  const book = findBook(store, id);
  store.run(
    `UPDATE contact_books SET name = ?, emoji = ?, properties = ?, variables = ?,
       double_opt_in_enabled = ?, double_opt_in_from = ?, double_opt_in_subject = ?,
       double_opt_in_content = ?, updated_at = ? WHERE id = ?`,
    fields.name ?? book.name,
    fields.emoji ?? book.emoji,
    JSON.stringify(fields.properties ?? book.properties),
    JSON.stringify(fields.variables ? checkedVariables(fields.variables) : book.variables),
    ...optInValues(changedDoubleOptIn(store, book, fields)),
    now,
    id,
  );
}

/** The values of the four columns, in their order. */
function optInValues(optIn: DoubleOptIn): [number, ...(string | null)[]] {
  return [
    Number(optIn.doubleOptInEnabled),
    optIn.doubleOptInFrom,
    optIn.doubleOptInSubject,
    optIn.doubleOptInContent,
  ];
}

/** Names of contact properties, each once in whatever case; empty ones are left out. */
function checkedVariables(variables: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const name of variables.map((variable) => variable.trim())) {
    const plain = name.toLowerCase();
    if (reservedVariables.has(plain)) {
      throw new ApiError('BAD_REQUEST', `Variable "${name}" is reserved. Use a different name.`);
    }
    if (name !== '' && !known.has(plain)) known.set(plain, name);
  }
  return [...known.values()];
}

const reservedVariables = new Set(['email', 'firstname', 'lastname']);

/** A contact book as the API shows it once it is stored: without the number of its contacts. */
export function storedBook(store: Store, id: string) {
  const { _count, ...book } = findBook(store, id);
  return book;
}

/** One contact book as the API shows it; throws `ApiError` NOT_FOUND if there is none. */
export function findBook(store: Store, id: string) {
  const row = store.one<CountedRow>(`${select} WHERE id = ?`, id);
  if (row === undefined) throw new ApiError('NOT_FOUND', 'Contact book not found for this team');
  return shownBook(row);
}

/** All contact books as the API shows them, newest first. */
export function listBooks(store: Store) {
  return store.all<CountedRow>(`${select} ORDER BY created_at DESC, id`).map(shownBook);
}

function shownBook(row: CountedRow) {
  return {
    id: row.id,
    name: row.name,
    teamId,
    properties: stringRecord(row.properties),
    variables: strings(row.variables),
    emoji: row.emoji,
    doubleOptInEnabled: row.doubleOptInEnabled === 1,
    doubleOptInFrom: row.doubleOptInFrom,
    doubleOptInSubject: row.doubleOptInSubject,
    doubleOptInContent: row.doubleOptInContent,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    _count: { contacts: row.contacts },
  };
}
