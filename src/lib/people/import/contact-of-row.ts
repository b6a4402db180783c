import { mailboxProblem, trimAddress } from '../../../api/address.ts';
import { addressAsWritten } from '../../../api/bare-address.ts';
import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../command-line/output/fields.ts';
import { consentValue, recipientProblem } from '../consent/cell.ts';
import type { Consent, RowConsent } from '../consent/consent.ts';
import type { FileContact } from '../contact/compare-contacts.ts';
import type { InputRow, ReadableRow } from '../rows/row.ts';
import {
  emailColumn,
  fieldOf,
  fieldsOfService,
  type Meanings,
  ofConsent,
  ofProperty,
} from './contact-columns.ts';

/** The contact in a row, checked. */
export interface CheckedContact {
  readonly contact: FileContact;
  /** The same as JSON. */
  readonly said: string;
  readonly consent: RowConsent;
}

/** Fields of JSON that have objects or lists, and the names of all fields of their rows. */
export interface NestedFields {
  readonly names: Set<string>;
  readonly columns: Set<string>;
}

function isNested(name: string, value: unknown): boolean {
  return typeof value === 'object' && value !== null && name !== 'properties';
}

/** The most names cached with their fields, so that a file with new names in each row takes no memory. */
const mostNames = 1000;

/**
 * Returns a function that reads the contact in a row, with properties as the book spells them. It throws a
 * `UsageError` with everything that is wrong with the row. `ignored` collects the names of fields that only
 * the service sets, and `nested` those of fields that cannot be imported.
 */
export function createContactReader(
  spelled: (property: string) => string,
  ignored: Set<string>,
  meanings: Meanings & { readonly consent: Consent },
  nested: NestedFields,
): (row: InputRow) => CheckedContact {
  const fieldNames = new Map<string, string>();
  const fieldNamed = (name: string): string => {
    const known = fieldNames.get(name) ?? fieldOf(name, meanings);
    if (fieldNames.size < mostNames) fieldNames.set(name, known);
    return known;
  };
  return (row) => {
    if ('problem' in row) {
      meanings.consent.unreadable(row);
      throw new UsageError(row.problem);
    }
    const problems: string[] = [];
    const isService = isOfService(row.fields);
    const fields = isService ? changeable(row.fields, ignored) : row.fields;
    const consent = isService ? ownConsent(fields, row.fields) : meanings.consent.row(row);
    const address = Object.hasOwn(fields, 'email')
      ? 'email'
      : emailColumn(Object.keys(fields), meanings.choices);
    const tools = { fieldNamed, spelled, address, consent };
    const contact = contactIn(fields, tools, problems);
    const lists = Object.keys(fields).filter((name) => isNested(name, fields[name]));
    if (problems.length > 0 && lists.length > 0) {
      for (const name of lists) nested.names.add(name);
      for (const name of row.ahead ?? row.columns) nested.columns.add(name);
    }
    const said = JSON.stringify(contact);
    if (said.includes('\\u0000') && holdsNul(contact)) {
      problems.push('must not contain a NUL character');
    }
    if (problems.length > 0) throw new UsageError(problems.join('; '));
    return { contact, said, consent };
  };
}

/** Whether an object is a contact as the service shows it, such as `contact list --jsonl` writes. */
function isOfService(row: ReadableRow['fields']): boolean {
  return Object.hasOwn(row, 'contactBookId') && Object.hasOwn(row, 'id');
}

/** The fields that can be changed. Drops `subscribed: false` of pending contacts, to keep them pending. */
function changeable(
  { subscribed, ...row }: ReadableRow['fields'],
  ignored: Set<string>,
): ReadableRow['fields'] {
  const isPending = subscribed === false && !Object.hasOwn(row, 'unsubscribeReason');
  const kept = Object.entries(row).filter(([name]) => !fieldsOfService.includes(name));
  for (const name of fieldsOfService) if (Object.hasOwn(row, name)) ignored.add(name);
  return {
    ...Object.fromEntries(kept),
    ...(subscribed === undefined || isPending ? {} : { subscribed }),
  };
}

interface ContactTools
  extends Readonly<Record<'fieldNamed' | 'spelled', (name: string) => string>> {
  /** The name of the field with the address. */
  readonly address: string | undefined;
  readonly consent: RowConsent;
}

function contactIn(
  row: ReadableRow['fields'],
  { fieldNamed, spelled, address, consent }: ContactTools,
  problems: string[],
): FileContact {
  const properties: Record<string, string> = {};
  const fields = new Map<string, unknown>();
  const addProperty = (name: string, value: unknown) => {
    const text = textOf(value);
    if (text === '' || value === null) return;
    const property = spelled(name);
    if (text === undefined) problems.push(`${name}: must be text`);
    else if (property === '__proto__') problems.push(`${name}: cannot be the name of a property`);
    else if (Object.hasOwn(properties, property)) {
      problems.push(`${name}: the property ${property} occurs twice`);
    } else properties[property] = text;
  };
  for (const name in row) {
    const value = row[name];
    const field = name === address ? 'email' : fieldNamed(name);
    if (name === 'properties') {
      if (isObject(value)) for (const one of Object.entries(value)) addProperty(...one);
      else problems.push('properties: must be an object');
    } else if (field.startsWith(ofProperty)) addProperty(field.slice(ofProperty.length), value);
    else if (field.startsWith(ofConsent)) continue;
    else if (fields.has(field)) problems.push(`${field}: occurs twice`);
    else fields.set(field, value);
  }
  return {
    email: emailIn(fields.get('email'), problems),
    firstName: nameIn('firstName', fields, problems),
    lastName: nameIn('lastName', fields, problems),
    subscribed: subscribedIn(fields.get('subscribed'), consent, problems),
    properties,
  };
}

/** A value as text, as the service stores it; undefined if it has no text form. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function emailIn(value: unknown, problems: string[]): string {
  if (value === undefined) {
    problems.push('there is no email address');
    return '';
  }
  const text = trimAddress(textOf(value) ?? '');
  const problem = mailboxProblem(text);
  if (problem !== undefined) problems.push(`${JSON.stringify(text)} is not an email address`);
  const doubt = recipientProblem(text);
  if (doubt !== undefined) problems.push(doubt);
  const email = addressAsWritten(text);
  // The service takes addresses to look up as a list separated by commas.
  if (email.includes(',')) problems.push('an address with a comma cannot be looked up');
  return email;
}

function nameIn(
  field: 'firstName' | 'lastName',
  fields: ReadonlyMap<string, unknown>,
  problems: string[],
): string | undefined {
  const value = fields.get(field);
  if (value === undefined) return undefined;
  const text = textOf(value);
  if (text === undefined) problems.push(`${field}: must be text`);
  return text;
}

function subscribedIn(
  value: unknown,
  { says }: RowConsent,
  problems: string[],
): boolean | undefined {
  if (consentValue(value) === 'other') {
    problems.push(`subscribed: ${JSON.stringify(value)} is neither true nor false`);
  }
  return says === undefined ? undefined : says === 'yes';
}

/** What a contact of the service says itself; its `subscribed` was dropped if it is pending. */
function ownConsent(
  { subscribed }: ReadableRow['fields'],
  before: ReadableRow['fields'],
): RowConsent {
  if (subscribed === undefined) {
    return before.subscribed === undefined
      ? { says: undefined }
      : { says: undefined, lacks: 'unconfirmed' };
  }
  return { says: subscribed === true ? 'yes' : 'no', isStated: true };
}

function holdsNul({ email, firstName, lastName, properties }: FileContact): boolean {
  const all = [email, firstName, lastName, ...Object.entries(properties).flat()];
  return all.some((text) => text?.includes('\0') === true);
}
