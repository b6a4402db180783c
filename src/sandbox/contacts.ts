import { ApiError } from './errors.ts';
import { newId } from './ids.ts';
import type { Store } from './store.ts';

export interface ContactRow {
  id: string;
  bookId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  properties: string;
  subscribed: number;
  createdAt: number;
  updatedAt: number;
}

/** Selects `ContactRow`s. */
export const selectContact = `SELECT id, book_id AS bookId, email, first_name AS firstName,
  last_name AS lastName, properties, subscribed, created_at AS createdAt,
  updated_at AS updatedAt FROM contacts`;

/** Throws `ApiError` NOT_FOUND when there is no contact book of this id. */
export function checkBook(store: Store, bookId: string): void {
  if (store.one('SELECT 1 FROM contact_books WHERE id = ?', bookId) === undefined) {
    throw new ApiError('NOT_FOUND', 'Contact book not found for this team');
  }
}

/** The contact of this id in this book; throws `ApiError` NOT_FOUND when it has none. */
export function findContact(store: Store, bookId: string, contactId: string): ContactRow {
  checkBook(store, bookId);
  const contact = store.one<ContactRow>(
    `${selectContact} WHERE id = ? AND book_id = ?`,
    contactId,
    bookId,
  );
  if (contact === undefined) throw new ApiError('NOT_FOUND', 'Contact not found');
  return contact;
}

/** What can be said of a contact; what is left out stays as it was, or empty. */
export interface ContactFields {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly properties?: Readonly<Record<string, string>> | undefined;
  readonly subscribed?: boolean | undefined;
}

/**
 * Stores a contact and returns its id. One of this address in the book is updated instead, but, as
 * on live servers, not subscribed again: that takes an update of the contact itself.
 */
export function storeContact(
  store: Store,
  contact: ContactFields & { readonly bookId: string; readonly email: string },
  now: number,
  id = newId(now),
): string {
  const known = store.one<ContactRow>(
    `${selectContact} WHERE book_id = ? AND email = ?`,
    contact.bookId,
    contact.email,
  );
  if (known !== undefined) {
    const subscribed = contact.subscribed === true ? undefined : contact.subscribed;
    updateContact(store, known, { ...contact, subscribed }, now);
    return known.id;
  }
  store.run(
    `INSERT INTO contacts (id, book_id, email, first_name, last_name, properties, subscribed,
       created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    contact.bookId,
    contact.email,
    contact.firstName ?? null,
    contact.lastName ?? null,
    JSON.stringify(contact.properties ?? {}),
    contact.subscribed === false ? 0 : 1,
    now,
    now,
  );
  return id;
}

/** Changes a contact; properties are merged into those there are. */
export function updateContact(
  store: Store,
  contact: ContactRow,
  fields: ContactFields,
  now: number,
): void {
  store.run(
    `UPDATE contacts SET first_name = ?, last_name = ?, properties = ?, subscribed = ?,
       updated_at = ? WHERE id = ?`,
    fields.firstName ?? contact.firstName,
    fields.lastName ?? contact.lastName,
    JSON.stringify({ ...propertiesOf(contact), ...fields.properties }),
    fields.subscribed === undefined ? contact.subscribed : Number(fields.subscribed),
    now,
    contact.id,
  );
}

/** The free-form properties of a contact. */
export function propertiesOf(contact: Pick<ContactRow, 'properties'>): Record<string, string> {
  // Only this file writes the column, from objects of strings.
  return JSON.parse(contact.properties) as Record<string, string>;
}

/** A contact as the API shows it. */
export function shownContact(row: ContactRow) {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    subscribed: row.subscribed === 1,
    properties: propertiesOf(row),
    contactBookId: row.bookId,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}
