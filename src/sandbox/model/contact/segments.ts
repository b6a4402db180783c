import type { CreateSegmentBody, SegmentCondition } from '../../../api/segment.ts';
import { ApiError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { newId } from '../ids.ts';
import { iso } from '../iso.ts';
import { findBook, storeBook } from './contact-books.ts';
import {
  type ContactRow,
  checkBook,
  propertiesOf,
  selectContact,
  shownContact,
  storeContact,
} from './contacts.ts';

export type SegmentRules = CreateSegmentBody['rules'];

export interface SegmentRow {
  id: string;
  name: string;
  /** Null if the segment covers all books. */
  contactBookId: string | null;
  rules: string;
  createdAt: number;
}

/** Selects `SegmentRow`s. */
export const selectSegment = `SELECT id, name, contact_book_id AS contactBookId, rules,
  created_at AS createdAt FROM segments`;

/** The most contacts in a preview. */
const contactsInSample = 10;

/** All segments as the API shows them, newest first. */
export function shownSegments(store: Store) {
  return store
    .all<SegmentRow>(`${selectSegment} ORDER BY created_at DESC, seq DESC`)
    .map(shownSegment);
}

/** Stores a segment and returns it as the API shows it. Throws `ApiError` NOT_FOUND for an unknown book. */
export function storeSegment(
  store: Store,
  { name, contactBookId = null, rules }: SegmentFields,
  now: number,
) {
  if (contactBookId !== null) checkBook(store, contactBookId);
  const id = newId(now);
  const row = { id, name, contactBookId, rules: JSON.stringify(rules), createdAt: now };
  store.insert('segments', segmentColumns(row));
  return shownSegment(row);
}

type SegmentFields = Omit<CreateSegmentBody, 'contactBookId'> & {
  readonly contactBookId?: string | null | undefined;
};

export function segmentColumns({ id, name, contactBookId, rules, createdAt }: SegmentRow) {
  return { id, name, contact_book_id: contactBookId, rules, created_at: createdAt };
}

/** How many contacts a segment has now, and some of them. Throws `ApiError` NOT_FOUND. */
export function sampledSegment(store: Store, id: string) {
  const contacts = contactsOf(store, segmentOf(store, id));
  return { count: contacts.length, sample: contacts.slice(0, contactsInSample).map(shownContact) };
}

/** Stores a contact book with the contacts that a segment has now. Throws `ApiError` NOT_FOUND. */
export function bookOfSegment(store: Store, id: string, name: string, now: number) {
  const segment = segmentOf(store, id);
  const contacts = contactsOf(store, segment);
  const { contactBookId } = segment;
  const variables = contactBookId === null ? [] : findBook(store, contactBookId).variables;
  const bookId = storeBook(store, { name, variables, doubleOptInEnabled: false }, now);
  for (const contact of contacts) {
    storeContact(store, { ...copied(contact), bookId }, now);
  }
  return { listId: bookId, name, count: contacts.length };
}

function copied(contact: ContactRow) {
  return {
    email: contact.email,
    firstName: contact.firstName ?? undefined,
    lastName: contact.lastName ?? undefined,
    properties: propertiesOf(contact),
    subscribed: contact.subscribed === 1,
  };
}

/** Throws `ApiError` NOT_FOUND if there is no such segment. */
function segmentOf(store: Store, id: string): SegmentRow {
  const row = store.one<SegmentRow>(`${selectSegment} WHERE id = ?`, id);
  if (row === undefined) throw new ApiError('NOT_FOUND', 'Segment not found');
  return row;
}

/** Throws `ApiError` NOT_FOUND if there is no such segment. */
export function removeSegment(store: Store, id: string): void {
  segmentOf(store, id);
  store.run('DELETE FROM segments WHERE id = ?', id);
}

function shownSegment({ rules, createdAt, ...row }: SegmentRow) {
  return { ...row, rules: rulesIn(rules), createdAt: iso(createdAt) };
}

export function rulesIn(json: string): SegmentRules {
  // These columns are only written with checked rules.
  return JSON.parse(json) as SegmentRules;
}

function contactsOf(store: Store, { contactBookId, rules }: SegmentRow): ContactRow[] {
  const { match, conditions } = rulesIn(rules);
  return store
    .all<ContactRow>(
      `${selectContact} WHERE ? IS NULL OR book_id = ? ORDER BY email, id`,
      contactBookId,
      contactBookId,
    )
    .filter((contact) => {
      const values = valuesOf(contact);
      const fulfils = (one: SegmentCondition) => isFulfilled(one, values[one.field] ?? '');
      return match === 'any' ? conditions.some(fulfils) : conditions.every(fulfils);
    });
}

function valuesOf(contact: ContactRow): Readonly<Record<string, string | null>> {
  const { email, firstName, lastName, subscribed } = contact;
  const own = { email, firstName, lastName, subscribed: String(subscribed === 1) };
  return { ...propertiesOf(contact), ...own };
}

function isFulfilled({ op, value }: SegmentCondition, actual: string): boolean {
  const [first = ''] = [value].flat();
  switch (op) {
    case 'eq':
      return actual === first;
    case 'neq':
      return actual !== first;
    case 'contains':
      return actual.includes(first);
    case 'in':
      return [value].flat().includes(actual);
  }
}
