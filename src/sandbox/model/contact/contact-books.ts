import { ApiError } from '../../store/errors.ts';
import { stringRecord, strings } from '../../store/json-columns.ts';
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

/** The columns of a `BookRow`. */
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
    properties: JSON.stringify(book.properties ?? {}),
    variables: JSON.stringify(checkedVariables(book.variables ?? [])),
    ...optInColumns(changedDoubleOptIn(store, usualDoubleOptIn, book)),
    created_at: now,
    updated_at: now,
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
    properties: JSON.stringify(fields.properties ?? book.properties),
    variables: JSON.stringify(
      fields.variables ? checkedVariables(fields.variables) : book.variables,
    ),
    ...optInColumns(changedDoubleOptIn(store, book, fields)),
    updated_at: now,
  });
}

function optInColumns(optIn: DoubleOptIn) {
  return {
    double_opt_in_enabled: Number(optIn.doubleOptInEnabled),
    double_opt_in_from: optIn.doubleOptInFrom,
    double_opt_in_subject: optIn.doubleOptInSubject,
    double_opt_in_content: optIn.doubleOptInContent,
  };
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
    properties: stringRecord(row.properties),
    variables: strings(row.variables),
    emoji,
    doubleOptInEnabled: row.doubleOptInEnabled === 1,
    isTest: false,
    doubleOptInFrom: row.doubleOptInFrom,
    doubleOptInSubject: row.doubleOptInSubject,
    doubleOptInContent: row.doubleOptInContent,
    lastBulkOptInAt: null,
    ...isoDates(row),
    _count: { contacts },
  };
}
