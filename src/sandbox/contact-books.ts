import { teamId } from './account.ts';
import { ApiError } from './errors.ts';
import { newId } from './ids.ts';
import type { Store } from './store.ts';

interface BookRow {
  id: string;
  name: string;
  emoji: string;
  properties: string;
  variables: string;
  createdAt: number;
  updatedAt: number;
  contacts: number;
}

const select = `SELECT id, name, emoji, properties, variables, created_at AS createdAt,
  updated_at AS updatedAt,
  (SELECT count(*) FROM contacts WHERE book_id = contact_books.id) AS contacts
  FROM contact_books`;

/** The emoji of a book of which nothing else is said. */
export const defaultEmoji = '📙';

/** What can be said of a contact book; what is left out stays as it was. */
export interface BookFields {
  readonly name?: string | undefined;
  readonly emoji?: string | undefined;
  readonly properties?: Readonly<Record<string, string>> | undefined;
  readonly variables?: readonly string[] | undefined;
}

/** Stores a contact book and returns its id. Throws `ApiError` as `updateBook` does. */
export function storeBook(
  store: Store,
  book: BookFields & { readonly name: string },
  now: number,
  id = newId(now),
): string {
  store.run(
    `INSERT INTO contact_books (id, name, emoji, properties, variables, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    book.name,
    book.emoji ?? defaultEmoji,
    JSON.stringify(book.properties ?? {}),
    JSON.stringify(checkedVariables(book.variables ?? [])),
    now,
    now,
  );
  return id;
}

/**
 * Changes a contact book. Throws `ApiError` NOT_FOUND when there is none of this id, and
 * BAD_REQUEST for a variable with the name of what every contact has.
 */
export function updateBook(store: Store, id: string, fields: BookFields, now: number): void {
  const book = findBook(store, id);
  store.run(
    `UPDATE contact_books SET name = ?, emoji = ?, properties = ?, variables = ?, updated_at = ?
     WHERE id = ?`,
    fields.name ?? book.name,
    fields.emoji ?? book.emoji,
    JSON.stringify(fields.properties ?? book.properties),
    JSON.stringify(fields.variables ? checkedVariables(fields.variables) : book.variables),
    now,
    id,
  );
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

/** One contact book as the API shows it; throws `ApiError` NOT_FOUND when there is none. */
export function findBook(store: Store, id: string) {
  const row = store.one<BookRow>(`${select} WHERE id = ?`, id);
  if (row === undefined) throw new ApiError('NOT_FOUND', 'Contact book not found for this team');
  return shownBook(row);
}

/** All contact books as the API shows them, newest first. */
export function listBooks(store: Store) {
  return store.all<BookRow>(`${select} ORDER BY created_at DESC, id`).map(shownBook);
}

function shownBook(row: BookRow) {
  // Only this file writes these columns, from an object and from an array of strings.
  const properties = JSON.parse(row.properties) as Record<string, string>;
  const variables = JSON.parse(row.variables) as string[];
  return {
    id: row.id,
    name: row.name,
    teamId,
    properties,
    variables,
    emoji: row.emoji,
    doubleOptInEnabled: false,
    doubleOptInFrom: null,
    doubleOptInSubject: null,
    doubleOptInContent: null,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    _count: { contacts: row.contacts },
  };
}
