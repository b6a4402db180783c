import { ApiError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { teamId } from '../api-account.ts';
import { newId } from '../ids.ts';
import { isoDates } from '../iso.ts';
import {
  type BookFields,
  changedDoubleOptIn,
  type DoubleOptIn,
  usualDoubleOptIn,
} from './double-opt-in.ts';

export interface BookRow extends DoubleOptIn {
  id: string;
  name: string;
  emoji: string;
  properties: Record<string, string>;
  variables: string[];
  createdAt: number;
  updatedAt: number;
}

/** The columns of a `BookRow`. */
export const bookColumns = `id, name, emoji, properties, variables, double_opt_in_enabled,
  double_opt_in_from, double_opt_in_subject, double_opt_in_content, created_at, updated_at`;

const select = `SELECT ${bookColumns},
  (SELECT count(*) FROM contacts WHERE book_id = contact_books.id) AS contacts
  FROM contact_books`;

interface CountedRow extends BookRow {
  contacts: number;
}

export const defaultEmoji = '📙';

/**
 * Stores a contact book and returns its id. By default, its contacts must confirm their
 * subscription. Throws `ApiError` as `updateBook` does.
 */
export function storeBook(
  store: Store,
  book: BookFields & { readonly name: string },
  now: number,
): string {
  const id = newId(now);
  store.insert('contact_books', {
    id,
    name: book.name,
    emoji: book.emoji ?? defaultEmoji,
    properties: book.properties ?? {},
    variables: checkedVariables(book.variables ?? []),
    ...changedDoubleOptIn(store, usualDoubleOptIn, book),
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/**
 * Changes a contact book. Throws `ApiError` NOT_FOUND for an unknown id, and BAD_REQUEST for a variable with
 * a reserved or invalid name, or as `changedDoubleOptIn` does.
 */
export function updateBook(store: Store, id: string, fields: BookFields, now: number): void {
  const book = findBook(store, id);
  store.update('contact_books', id, {
    name: fields.name ?? book.name,
    emoji: fields.emoji ?? book.emoji,
    properties: fields.properties ?? book.properties,
    variables: fields.variables ? checkedVariables(fields.variables) : book.variables,
    ...changedDoubleOptIn(store, book, fields),
    updatedAt: now,
  });
}

/** Names of contact properties, without empty ones and duplicates, regardless of case. */
function checkedVariables(variables: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const name of variables.map((variable) => variable.trim())) {
    const plain = name.toLowerCase();
    if (reservedVariables.has(plain)) {
      throw new ApiError('BAD_REQUEST', `Variable "${name}" is reserved. Use a different name.`);
    }
    if (!/^\w*$/.test(name)) {
      throw new ApiError('BAD_REQUEST', `Variable "${name}" may have only letters, digits and _`);
    }
    if (name !== '' && !known.has(plain)) known.set(plain, name);
  }
  return [...known.values()];
}

const reservedVariables = new Set(['email', 'firstname', 'lastname']);

/** A contact book as the API shows it after a change: without the number of its contacts. */
export function storedBook(store: Store, id: string) {
  const { _count, ...book } = findBook(store, id);
  return book;
}

/** One contact book as the API shows it; throws `ApiError` NOT_FOUND for an unknown id. */
export function findBook(store: Store, id: string) {
  const row = store.one<CountedRow>(`${select} WHERE id = ?`, id);
  if (row === undefined) throw new ApiError('NOT_FOUND', 'Contact book not found for this team');
  return shownBook(row);
}

/** All contact books as the API shows them, newest first. */
export function listBooks(store: Store) {
  return store.all<CountedRow>(`${select} ORDER BY created_at DESC, id`).map(shownBook);
}

function shownBook({ id, name, emoji, contacts, ...row }: CountedRow) {
  return {
    id,
    name,
    teamId,
    properties: row.properties,
    variables: row.variables,
    emoji,
    doubleOptInEnabled: row.doubleOptInEnabled,
    isTest: false,
    doubleOptInFrom: row.doubleOptInFrom,
    doubleOptInSubject: row.doubleOptInSubject,
    doubleOptInContent: row.doubleOptInContent,
    lastBulkOptInAt: null,
    ...isoDates(row),
    _count: { contacts },
  };
}
