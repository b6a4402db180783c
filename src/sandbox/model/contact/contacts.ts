import type { CreateContactBody } from '../../../api/contact.ts';
import { limits } from '../../../api/limits.ts';
import { ApiError, orNotFound } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { newId } from '../ids.ts';
import { iso, isoDates } from '../iso.ts';
import { addJob } from '../jobs.ts';
import { callWebhooks } from '../webhooks.ts';

export interface ContactRow {
  id: string;
  bookId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  properties: Record<string, string>;
  subscribed: boolean;
  /** Also null while the subscription is unconfirmed. */
  unsubscribeReason: string | null;
  doubleOptInSentAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** Selects `ContactRow`s. */
export const selectContact = `SELECT id, book_id, email, first_name, last_name, properties, subscribed,
  unsubscribe_reason, double_opt_in_sent_at, created_at, updated_at FROM contacts`;

/** The reason stored for a contact who unsubscribed. */
export const unsubscribed = 'UNSUBSCRIBED';

export function bookExists(store: Store, bookId: string): boolean {
  return store.value('SELECT 1 FROM contact_books WHERE id = ?', bookId) !== undefined;
}

/** Throws `ApiError` NOT_FOUND if no contact book has this id. */
export function checkBook(store: Store, bookId: string): void {
  if (bookExists(store, bookId)) return;
  throw new ApiError('NOT_FOUND', 'Contact book not found for this team');
}

/** Throws `ApiError` NOT_FOUND if there is no such book, or no such contact in it. */
export function findContact(store: Store, bookId: string, contactId: string): ContactRow {
  checkBook(store, bookId);
  const sql = `${selectContact} WHERE id = ? AND book_id = ?`;
  return orNotFound('Contact', store.one<ContactRow>(sql, contactId, bookId));
}

/** The contacts of a book as the API shows them. Throws `ApiError` NOT_FOUND for an unknown book. */
export function contactsInBook(
  store: Store,
  bookId: string,
  { emails, ids }: { readonly emails?: string | undefined; readonly ids?: string | undefined },
) {
  checkBook(store, bookId);
  return store
    .all<ContactRow>(
      `${selectContact} WHERE book_id = ?
         AND (? IS NULL OR id IN (SELECT value FROM json_each(?)))
         AND (? IS NULL OR email IN (SELECT value FROM json_each(?)))
       ORDER BY id LIMIT ?`,
      bookId,
      ...[ids, ids, emails, emails].map((list) => list?.split(',')),
      limits.contactsPerList,
    )
    .map(shownContact);
}

/** The fields of a contact; omitted ones keep their values, or are empty. */
export type ContactFields = Omit<CreateContactBody, 'email'>;

/**
 * Stores a contact and returns its id. An existing one with this address is updated, but, as on
 * live servers, not resubscribed. Property names get the case that the book declares. In a book
 * with double opt-in, new and pending contacts are asked to confirm their subscription.
 */
export function storeContact(
  store: Store,
  contact: ContactFields & {
    readonly bookId: string;
    readonly email: string;
    /** False to subscribe a new contact without asking. Default: what the book has. */
    readonly optIn?: boolean;
  },
  now: number,
): string {
  const known = store.one<ContactRow>(
    `${selectContact} WHERE book_id = ? AND email = ?`,
    contact.bookId,
    contact.email,
  );
  const book = store.one<{ doubleOptInEnabled: boolean; variables: string[] }>(
    'SELECT double_opt_in_enabled, variables FROM contact_books WHERE id = ?',
    contact.bookId,
  );
  const properties = spelled(contact.properties, book?.variables ?? []);
  const asks = book?.doubleOptInEnabled === true && contact.optIn !== false;
  const mustConfirm = asks && contact.subscribed !== false;
  if (known !== undefined) {
    if (mustConfirm && isPending(known)) addJob(store, confirmation(known.id, now));
    const subscribed = contact.subscribed === true ? undefined : contact.subscribed;
    changeContact(store, known, { ...contact, properties, subscribed }, now);
    return known.id;
  }
  const id = newId(now);
  store.insert('contacts', {
    id,
    bookId: contact.bookId,
    email: contact.email,
    firstName: contact.firstName,
    lastName: contact.lastName,
    properties,
    subscribed: contact.subscribed !== false && !mustConfirm,
    unsubscribeReason: contact.subscribed === false ? unsubscribed : null,
    createdAt: now,
    updatedAt: now,
  });
  tellContact(store, 'contact.created', id, now);
  if (mustConfirm) addJob(store, confirmation(id, now));
  return id;
}

/** Properties with names in the case that the book declares. */
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

/** Whether a contact has neither confirmed nor declined its subscription. */
export function isPending(contact: Pick<ContactRow, 'subscribed' | 'unsubscribeReason'>): boolean {
  return !contact.subscribed && contact.unsubscribeReason === null;
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
  const { subscribed } = fields;
  store.update('contacts', contact.id, {
    firstName: fields.firstName ?? contact.firstName,
    lastName: fields.lastName ?? contact.lastName,
    properties: { ...contact.properties, ...fields.properties },
    ...(subscribed === undefined
      ? {}
      : { subscribed, unsubscribeReason: subscribed ? null : unsubscribed }),
    updatedAt: now,
  });
  tellContact(store, 'contact.updated', contact.id, now);
}

/** Calls webhooks about a contact. Call it in a transaction, before a deletion. */
export function tellContact(
  store: Store,
  type: 'contact.created' | 'contact.updated' | 'contact.deleted',
  id: string,
  at: number,
): void {
  callWebhooks(store, type, at, () => {
    const row = store.one<ContactRow>(`${selectContact} WHERE id = ?`, id);
    if (row === undefined) return undefined;
    const { unsubscribeReason, doubleOptInSentAt, ...data } = shownContact(row);
    return data;
  });
}

/** A contact as the API shows it. */
export function shownContact({ id, firstName, lastName, email, bookId, ...row }: ContactRow) {
  return {
    id,
    firstName,
    lastName,
    email,
    subscribed: row.subscribed,
    unsubscribeReason: row.unsubscribeReason,
    properties: row.properties,
    doubleOptInSentAt: iso(row.doubleOptInSentAt),
    contactBookId: bookId,
    ...isoDates(row),
  };
}
