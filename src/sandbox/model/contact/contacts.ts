import { ApiError } from '../../store/errors.ts';
import { stringRecord, strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';
import { newId } from '../ids.ts';
import { addJob } from '../jobs.ts';

export interface ContactRow {
  id: string;
  bookId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  properties: string;
  subscribed: number;
  /** Null also while the subscription is not confirmed. */
  unsubscribeReason: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Selects `ContactRow`s. */
export const selectContact = `SELECT id, book_id AS bookId, email, first_name AS firstName,
  last_name AS lastName, properties, subscribed, unsubscribe_reason AS unsubscribeReason,
  created_at AS createdAt, updated_at AS updatedAt FROM contacts`;

/** The reason stored for a contact who unsubscribed. */
export const unsubscribed = 'UNSUBSCRIBED';

/** Throws `ApiError` NOT_FOUND if there is no contact book with this id. */
export function checkBook(store: Store, bookId: string): void {
  if (store.one('SELECT 1 FROM contact_books WHERE id = ?', bookId) === undefined) {
    throw new ApiError('NOT_FOUND', 'Contact book not found for this team');
  }
}

/** The contact with this id in this book; throws `ApiError` NOT_FOUND when it has none. */
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

/** The fields of a contact to change; omitted ones keep their values, or are empty. */
interface ContactFields {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly properties?: Readonly<Record<string, string>> | undefined;
  readonly subscribed?: boolean | undefined;
}

/**
 * Stores a contact and returns its id. One of this address in the book is updated instead, but, as
 * on live servers, not subscribed again: that takes an update of the contact itself. Properties get
 * the spelling that the book declares. In a book with double opt-in a new one is to confirm its
 * subscription, and is asked to, as one is that has not done so yet.
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
  const book = store.one<{ optIn: number; variables: string }>(
    'SELECT double_opt_in_enabled AS optIn, variables FROM contact_books WHERE id = ?',
    contact.bookId,
  );
  const properties = spelled(contact.properties, strings(book?.variables ?? '[]'));
  const mustConfirm = book?.optIn === 1 && contact.subscribed !== false;
  if (known !== undefined) {
    if (mustConfirm && isPending(known)) addJob(store, confirmation(known.id, now));
    const subscribed = contact.subscribed === true ? undefined : contact.subscribed;
    changeContact(store, known, { ...contact, properties, subscribed }, now);
    return known.id;
  }
  store.run(
    `INSERT INTO contacts (id, book_id, email, first_name, last_name, properties, subscribed,
       unsubscribe_reason, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    contact.bookId,
    contact.email,
    contact.firstName ?? null,
    contact.lastName ?? null,
    JSON.stringify(properties),
    Number(contact.subscribed !== false && !mustConfirm),
    contact.subscribed === false ? unsubscribed : null,
    now,
    now,
  );
  if (mustConfirm) addJob(store, confirmation(id, now));
  return id;
}

/** Properties by the names in the book, whose declared names ignore case. */
function spelled(
  properties: ContactFields['properties'] = {},
  declared: readonly string[],
): Record<string, string> {
  const names = new Map(declared.map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      names.get(name.toLowerCase()) ?? name,
      value,
    ]),
  );
}

/** Whether a contact has neither confirmed its subscription nor ended it. */
export function isPending(contact: Pick<ContactRow, 'subscribed' | 'unsubscribeReason'>): boolean {
  return contact.subscribed === 0 && contact.unsubscribeReason === null;
}

function confirmation(contactId: string, now: number) {
  return { dueAt: now, kind: 'contact.confirm', subject: contactId } as const;
}

/** Changes a contact; properties are merged into the existing ones. */
export function changeContact(
  store: Store,
  contact: ContactRow,
  fields: ContactFields,
  now: number,
): void {
  store.run(
    `UPDATE contacts SET first_name = ?, last_name = ?, properties = ?, subscribed = ?,
       unsubscribe_reason = ?, updated_at = ? WHERE id = ?`,
    fields.firstName ?? contact.firstName,
    fields.lastName ?? contact.lastName,
    JSON.stringify({ ...propertiesOf(contact), ...fields.properties }),
    ...(fields.subscribed === undefined
      ? [contact.subscribed, contact.unsubscribeReason]
      : [Number(fields.subscribed), fields.subscribed ? null : unsubscribed]),
    now,
    contact.id,
  );
}

/** The free-form properties of a contact. */
export function propertiesOf(contact: Pick<ContactRow, 'properties'>): Record<string, string> {
  return stringRecord(contact.properties);
}

/** A contact as the API shows it. */
export function shownContact(row: ContactRow) {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    subscribed: row.subscribed === 1,
    unsubscribeReason: row.unsubscribeReason,
    properties: propertiesOf(row),
    contactBookId: row.bookId,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}
