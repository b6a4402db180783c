import type { Contact, ContactBook } from '../../../api/contact.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import { asMeant, isAddressName } from '../../base/text/column-names.ts';
import type { Column } from '../../command-line/output/result.ts';
import type { BookRead } from './book/read-book.ts';
import { spelledProperties } from './compare-contacts.ts';
import type { exportedContact } from './contact-shapes.ts';
import { spelledBy } from './property-names.ts';
import { isUnconfirmed } from './subscription.ts';

export type ExportedContact = ReadonlyInfer<typeof exportedContact>;

/** Contacts for an export, sorted by address, so that the same book gives the same file. */
export function exportedContacts({ book, contacts }: BookRead): readonly ExportedContact[] {
  const spelled = spelledBy(book.variables);
  return contacts.toSorted(byAddress).map((contact) => ({
    email: contact.email,
    firstName: orNull(contact.firstName),
    lastName: orNull(contact.lastName),
    subscribed: isUnconfirmed(contact) ? null : (contact.subscribed ?? null),
    properties: spelledProperties(contact, spelled),
  }));
}

/** A blank name becomes null, because a blank cell means that nothing is said about it. */
function orNull(name: string | null | undefined): string | null {
  return (name ?? '').trim() === '' ? null : (name ?? null);
}

/** Compares by code units, so that the order does not depend on the machine's language. */
function byAddress({ email: one }: Contact, { email: other }: Contact): number {
  return one < other ? -1 : Number(one > other);
}

/** The columns of an export: fields, then one per property, including the book's variables. */
export function exportColumns(
  { variables }: ContactBook,
  rows: readonly ExportedContact[],
): readonly Column<ExportedContact>[] {
  const used = rows.flatMap(({ properties }) => Object.keys(properties));
  const names = [...new Set([...(variables ?? []), ...used])].sort();
  return [...fieldColumns, ...names.map(propertyColumn)];
}

const fieldColumns: readonly Column<ExportedContact>[] = [
  { field: 'email', header: 'Email' },
  { field: 'firstName', header: 'First name' },
  { field: 'lastName', header: 'Last name' },
  { field: 'subscribed', header: 'Subscribed' },
];

function propertyColumn(name: string): Column<ExportedContact> {
  const field = columnOfProperty(name);
  return {
    field,
    header: field,
    cell: ({ properties }) => (Object.hasOwn(properties, name) ? properties[name] : undefined),
    computed: true,
  };
}

/**
 * The column for a property in a file of contacts: its name, or `properties.NAME` if a column of that name
 * would be read as a field, such as `First Name`.
 */
function columnOfProperty(name: string): string {
  const isField =
    isAddressName(name) || /^(?:firstname|lastname|subscribed|properties)$/.test(asMeant(name));
  const isChanged = name === '' || name.trim() !== name || name.startsWith('properties.');
  return isField || isChanged ? `properties.${name}` : name;
}
