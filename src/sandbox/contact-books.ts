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

export interface NewBook {
  readonly name: string;
  readonly emoji?: string | undefined;
  readonly properties?: Readonly<Record<string, string>> | undefined;
  readonly variables?: readonly string[] | undefined;
}

/** Stores a contact book and returns its id. */
export function storeBook(store: Store, book: NewBook, now: number, id = newId(now)): string {
  store.run(
    `INSERT INTO contact_books (id, name, emoji, properties, variables, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    book.name,
    book.emoji ?? '📙',
    JSON.stringify(book.properties ?? {}),
    JSON.stringify(book.variables ?? []),
    now,
    now,
  );
  return id;
}

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
  const properties: unknown = JSON.parse(row.properties);
  const variables: unknown = JSON.parse(row.variables);
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
