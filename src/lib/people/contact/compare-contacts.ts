import type { Contact } from '../../../api/contact.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import type { change } from './contact-shapes.ts';
import { hasUnsubscribed, isUnconfirmed } from './subscription.ts';

/** What a row of a file says about a contact. Omitted fields stay unchanged. */
export interface FileContact {
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly subscribed?: boolean | undefined;
  readonly properties: Readonly<Record<string, string>>;
}

export type Change = ReadonlyInfer<typeof change>;

/** The spelling of a property's name in a book: see `spelledBy`. */
type Spelled = (property: string) => string;

const none: readonly Change[] = [];

/**
 * What a row changes about a contact. It never subscribes anybody: who has unsubscribed stays unsubscribed,
 * and who was asked to confirm must do that.
 */
export function changesTo(
  contact: Contact,
  row: Omit<FileContact, 'properties'> & Partial<FileContact>,
  spelled: Spelled,
): readonly Change[] {
  let changes: Change[] | undefined;
  const compare = (
    field: string,
    from: Change['from'] | undefined,
    to: Change['to'] | undefined,
  ) => {
    if (to === undefined || to === (from ?? '')) return;
    changes ??= [];
    changes.push({ field, from: from ?? null, to });
  };
  compare('firstName', contact.firstName, row.firstName);
  compare('lastName', contact.lastName, row.lastName);
  for (const name in row.properties) {
    const property = spelled(name);
    compare(
      `properties.${property}`,
      storedValue(contact, property, spelled),
      row.properties?.[name],
    );
  }
  if (row.subscribed === false && !hasUnsubscribed(contact)) {
    compare('subscribed', isUnconfirmed(contact) ? null : true, false);
  }
  return changes ?? none;
}

/** The value of a contact's property, by its name in the book. */
function storedValue(
  { properties }: Contact,
  property: string,
  spelled: Spelled,
): string | undefined {
  if (properties == null) return undefined;
  const name = Object.hasOwn(properties, property)
    ? property
    : // The property was stored before the book had the variable.
      Object.keys(properties).findLast((one) => spelled(one) === property);
  return name === undefined ? undefined : textOf(properties[name]);
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A contact's properties that are not blank, by name in the book's spelling. */
export function spelledProperties(contact: Contact, spelled: Spelled): Record<string, string> {
  const names = new Set(Object.keys(contact.properties ?? {}).map(spelled));
  return Object.fromEntries(
    [...names].sort().flatMap((name) => {
      const value = storedValue(contact, name, spelled) ?? '';
      return value.trim() === '' ? [] : [[name, value]];
    }),
  );
}

/** Returns a function that finds a contact by its exact address, or else by one that differs only in case. */
export function finder(contacts: readonly Contact[]): (email: string) => Contact | undefined {
  const exact = new Map(contacts.map((contact) => [contact.email, contact]));
  const folded = new Map(contacts.map((contact) => [contact.email.toLowerCase(), contact]));
  return (email) => exact.get(email) ?? folded.get(email.toLowerCase());
}
