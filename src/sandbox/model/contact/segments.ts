import * as z from 'zod';
import { text } from '../../../api/fields.ts';
import { type CreateSegmentBody, segmentMatches, segmentOperators } from '../../../api/segment.ts';
import { ApiError, internalError, orNotFound } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { newId } from '../ids.ts';
import { iso } from '../iso.ts';
import { storeBook } from './contact-books.ts';
import { bookExists, type ContactRow, selectContact, storeContact } from './contacts.ts';

const plainValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const segmentCondition = z.strictObject({
  field: text,
  op: z.enum(segmentOperators),
  value: z.union([plainValue, z.array(plainValue)]).optional(),
});

/** Like live servers, it accepts fields and values that fail only when the segment is used. */
export const segmentRules = z.strictObject({
  match: z.enum(segmentMatches).optional(),
  conditions: z.array(segmentCondition),
});

type SegmentCondition = z.infer<typeof segmentCondition>;

export type SegmentRules = z.infer<typeof segmentRules>;

type NewSegment = Omit<CreateSegmentBody, 'rules'> & { readonly rules: SegmentRules };

export interface SegmentRow {
  id: string;
  name: string;
  /** Null if the segment covers all books. */
  contactBookId: string | null;
  rules: SegmentRules;
  createdAt: number;
}

/** Selects `SegmentRow`s. */
export const selectSegment = 'SELECT id, name, contact_book_id, rules, created_at FROM segments';

/** The most contacts in a preview. */
const contactsInSample = 10;

/** All segments as the API shows them, newest first. */
export function shownSegments(store: Store) {
  return store
    .all<SegmentRow>(`${selectSegment} ORDER BY created_at DESC, seq DESC`)
    .map(shownSegment);
}

/** Stores a segment and returns it as the API shows it; without a book, it covers all. Throws `ApiError` BAD_REQUEST for an unknown book. */
export function storeSegment(store: Store, segment: NewSegment, now: number) {
  const { name, contactBookId = null, rules } = segment;
  if (contactBookId !== null && !bookExists(store, contactBookId)) {
    throw new ApiError('BAD_REQUEST', 'Contact book not found');
  }
  const row = { id: newId(now), name, contactBookId, rules, createdAt: now };
  store.insert('segments', row);
  return shownSegment(row);
}

/** How many contacts a segment has now, and some of them. Throws `ApiError` like `contactsOf`. */
export function sampledSegment(store: Store, id: string) {
  const contacts = contactsOf(store, segmentOf(store, id));
  const sample = contacts
    .slice(0, contactsInSample)
    .map(({ email, firstName, lastName, subscribed }) => ({
      ...{ email, firstName, lastName, subscribed },
    }));
  return { count: contacts.length, sample };
}

/**
 * Stores a contact book with the contacts that a segment has now, without variables, and without the reasons why
 * contacts are not subscribed. Throws `ApiError` like `contactsOf`.
 */
export function bookOfSegment(store: Store, id: string, name: string, now: number) {
  const contacts = contactsOf(store, segmentOf(store, id));
  const bookId = storeBook(store, { name, doubleOptInEnabled: false }, now);
  for (const contact of contacts) {
    storeContact(store, { ...copied(contact), bookId }, now);
  }
  store.run('UPDATE contacts SET unsubscribe_reason = NULL WHERE book_id = ?', bookId);
  return { listId: bookId, name, count: contacts.length };
}

function copied(contact: ContactRow) {
  return {
    email: contact.email,
    firstName: contact.firstName ?? undefined,
    lastName: contact.lastName ?? undefined,
    properties: contact.properties,
    subscribed: contact.subscribed,
  };
}

/** Throws `ApiError` NOT_FOUND if there is no such segment. */
function segmentOf(store: Store, id: string): SegmentRow {
  return orNotFound('Segment', store.one<SegmentRow>(`${selectSegment} WHERE id = ?`, id));
}

/** Throws `ApiError` NOT_FOUND if there is no such segment. */
export function removeSegment(store: Store, id: string): void {
  segmentOf(store, id);
  store.run('DELETE FROM segments WHERE id = ?', id);
}

function shownSegment(row: SegmentRow) {
  return { ...row, createdAt: iso(row.createdAt) };
}

/** The contacts of a segment. Throws `ApiError` for a condition that live servers cannot carry out. */
function contactsOf(store: Store, { contactBookId, rules }: SegmentRow): ContactRow[] {
  const { match, conditions } = rules;
  const fulfilled = conditions.map(testOf);
  return store
    .all<ContactRow>(
      `${selectContact} WHERE ? IS NULL OR book_id = ? ORDER BY email, id`,
      contactBookId,
      contactBookId,
    )
    .filter((contact) =>
      match === 'any'
        ? fulfilled.some((test) => test(contact))
        : fulfilled.every((test) => test(contact)),
    );
}

type Test = (contact: ContactRow) => boolean;

const ofProperty = 'properties.';

/** Whether contacts fulfil a condition. One without a value is fulfilled neither by `eq` nor by `neq`. */
function testOf({ field, op, value }: SegmentCondition): Test {
  if (field === 'subscribed') {
    if (typeof value !== 'boolean' || (op !== 'eq' && op !== 'neq')) {
      throw internalError('subscribed is compared with a boolean');
    }
    return ({ subscribed }) => (subscribed === value) === (op === 'eq');
  }
  if (field.startsWith(ofProperty)) {
    const name = field.slice(ofProperty.length);
    const compare = comparison(op, value, (text) => text);
    return (contact) => compare(contact.properties[name]);
  }
  if (field !== 'email' && field !== 'firstName' && field !== 'lastName') {
    throw internalError(`Contacts have no field ${field}; a property is ${ofProperty}${field}`);
  }
  // Observed: without a value, the condition is ignored.
  if (value === undefined) return () => true;
  const compare = comparison(op, value, (text) => text.toLowerCase());
  return (contact) => compare(contact[field]);
}

/** Compares with a value; `contains` compares what `plain` returns. */
function comparison(
  op: SegmentCondition['op'],
  value: unknown,
  plain: (text: string) => string,
): (actual: string | null | undefined) => boolean {
  if (op === 'in') {
    if (!isTexts(value)) throw internalError('in compares with a list of texts');
    return (actual) => actual != null && value.includes(actual);
  }
  if (typeof value !== 'string') throw internalError(`${op} compares with a text`);
  switch (op) {
    case 'eq':
      return (actual) => actual === value;
    case 'neq':
      return (actual) => actual != null && actual !== value;
    case 'contains':
      return (actual) => actual != null && plain(actual).includes(plain(value));
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
