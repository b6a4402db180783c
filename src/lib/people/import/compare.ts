import { type Contact, type ContactBook, usesDoubleOptIn } from '../../../api/contact.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { contactsByAddress } from '../contact/by-address.ts';
import { type Change, changesTo, type FileContact, finder } from '../contact/compare-contacts.ts';
import { isUnconfirmed } from '../contact/subscription.ts';
import { inGroups } from '../rows/in-groups.ts';
import { ofProperty } from './contact-columns.ts';
import { addressKey, type SaidRow } from './contact-rows.ts';
import type { Ledger } from './ledger.ts';
import type { ComparedOutcome, ImportedContact, Parts } from './parts.ts';

/** A row, and the contact in the book. */
export interface ComparedRow {
  /** The contact in the row, with properties as the book spells them. */
  readonly contact: FileContact;
  readonly before: Contact | undefined;
  /** Whether something is sent for it. */
  readonly changes: boolean;
}

/** Numbers of rows by outcome. */
export type ComparedRows = Readonly<Record<ComparedOutcome, number>> & {
  /** People who get an email that asks for confirmation, if the book has double opt-in. */
  readonly confirmations: number;
  /** New contacts that an earlier import sent, and that may still arrive. */
  readonly inDoubt: number;
  /** New contacts that are added as unsubscribed. */
  readonly newUnsubscribed: number;
  /** Contacts that are subscribed in the book, and whose row unsubscribes them. */
  readonly toUnsubscribe: number;
  /** The first of these rows whose column is not stated to say so, and how many there are. */
  readonly perhapsToUnsubscribe: { readonly count: number; readonly rows: readonly number[] };
  /** All contacts of the book; undefined if the service does not list all of them. */
  readonly contacts: readonly Contact[] | undefined;
};

interface CompareOptions {
  readonly context: Pick<Context, 'call' | 'report'>;
  /** Undefined if the account is unknown, as in a dry run; then every row is new. */
  readonly book: ContactBook | undefined;
  /** How the book spells the name of a property. */
  readonly spelled: (property: string) => string;
  readonly parts: Parts;
  /** Whom earlier imports have asked to confirm; undefined if the book asks nobody. */
  readonly ledger: Pick<Ledger, 'find' | 'forget'> | undefined;
  readonly compared: ((row: ComparedRow) => void) | undefined;
  /** Whether the file shows pending contacts as unsubscribed. */
  readonly blursPending: () => boolean;
}

/** Rows that an error names. */
const mostRowsNamed = 10;

/** The most rows whose contacts are looked up together. */
const rowsTogether = 1000;

/** Compares rows with the contacts of a book, and adds those that change something to parts. */
export async function createComparison(options: CompareOptions) {
  const { context, book, spelled, parts, ledger, compared, blursPending } = options;
  const { known, contacts } = await knownContacts(context, book);
  const optIn = book !== undefined && usesDoubleOptIn(book);
  let leftPending = 0;
  const counts = {
    ...{ new: 0, changed: 0, unchanged: 0, unsubscribed: 0, skipped: 0 },
    ...{ confirmations: 0, inDoubt: 0, newUnsubscribed: 0, toUnsubscribe: 0 },
  };
  const perhaps = { count: 0, rows: [] as number[] };
  const takeNew = (one: SaidRow) => {
    const { row, email, said, consent } = one;
    // A book with double opt-in asks people who have not confirmed.
    const lacks = { '': false, no: false, 'perhaps no': false, missing: true, unconfirmed: !optIn };
    if (lacks[consent]) {
      counts.skipped++;
      const note = 'the file does not say that they want email';
      parts.leaveOut({ row, email, outcome: 'skipped', note });
      compared?.({ contact: read(one), before: undefined, changes: false });
      return;
    }
    const isNo = consent === 'no' || consent === 'perhaps no';
    // Whoever does not want email is not asked, so nothing is in doubt.
    const before = isNo ? undefined : ledger?.find(email);
    if (before !== undefined) counts.inDoubt++;
    else {
      counts.new++;
      if (isNo) counts.newUnsubscribed++;
      else if (optIn) counts.confirmations++;
    }
    parts.add([row, email, 'new'], said, { state: before ?? 'ready', alone: false });
    compared?.({ contact: read(one), before: undefined, changes: true });
  };
  const takeKnown = (one: SaidRow, before: Contact) => {
    const { row } = one;
    if (ledger?.find(one.email) !== undefined) ledger.forget([one.email]);
    const contact = asPending(read(one), before);
    const changes = changesTo(before, contact, spelled);
    // Anything but a PATCH makes the service ask pending contacts to confirm again.
    const pending = optIn && isUnconfirmed(before);
    const stays = before.subscribed === false && !pending && contact.subscribed !== false;
    const isChange = changes.length > 0;
    const outcome = stays ? 'unsubscribed' : isChange ? 'changed' : 'unchanged';
    counts[outcome]++;
    if (before.subscribed === true && contact.subscribed === false) {
      counts.toUnsubscribe++;
      if (one.consent === 'perhaps no') {
        perhaps.count++;
        if (perhaps.rows.length < mostRowsNamed) perhaps.rows.push(row);
      }
    }
    if (isChange) {
      const json = JSON.stringify(changed(before, changes, pending));
      parts.add([row, before.email, outcome], json, { state: 'ready', alone: pending });
    } else {
      const left = stays ? 'unsubscribed' : 'unchanged';
      parts.leaveOut({ row, email: before.email, outcome: left, note: before.id });
    }
    compared?.({ contact, before, changes: isChange });
  };
  /** Drops `subscribed: false` if the file may mean that the contact is pending. */
  const asPending = (contact: FileContact, before: Contact): FileContact => {
    if (contact.subscribed !== false || !isUnconfirmed(before) || !blursPending()) return contact;
    leftPending++;
    return { ...contact, subscribed: undefined };
  };
  const read = ({ said, contact }: SaidRow): FileContact =>
    // Written by `checkRows`.
    contact ?? (JSON.parse(said) as FileContact);
  const take = (one: SaidRow, before: Contact | undefined) => {
    if (before === undefined) takeNew(one);
    else takeKnown(one, before);
  };
  return {
    /** Compares a row; undefined if contacts have to be looked up in the service. */
    take:
      typeof known === 'object' ? (one: SaidRow) => take(one, known.find(one.email)) : undefined,
    /** Compares all rows, looking contacts up in the service if needed. */
    async takeAll(rows: Iterable<SaidRow>): Promise<void> {
      for await (const some of inGroups(rows, rowsTogether)) {
        const { find } = typeof known === 'object' ? known : await known(some);
        for (const one of some) take(one, find(one.email));
      }
    },
    /** Contacts left pending although their rows are not subscribed. */
    leftPending: () => leftPending,
    counts: (): ComparedRows => ({ ...counts, perhapsToUnsubscribe: perhaps, contacts }),
  };
}

/** The contact with only the fields that change. */
function changed(
  { id, email }: Contact,
  changes: readonly Change[],
  withId: boolean,
): ImportedContact {
  const fields: Record<string, string | boolean> = {};
  const properties: [string, string][] = [];
  for (const { field, to } of changes) {
    if (field.startsWith(ofProperty)) properties.push([field.slice(ofProperty.length), String(to)]);
    else fields[field] = to;
  }
  return {
    ...(withId ? { id } : {}),
    email,
    ...fields,
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
  };
}

/** The contacts of the book for some rows. */
interface Known {
  readonly find: (email: string) => Contact | undefined;
}

/** Finds the contacts of the book for some rows, with as few requests as the service allows. */
async function knownContacts(context: CompareOptions['context'], book: ContactBook | undefined) {
  const count = book?._count?.contacts ?? Number.POSITIVE_INFINITY;
  if (book === undefined || count === 0) {
    return { known: { find: () => undefined }, contacts: [] };
  }
  const params = { contactBookId: book.id };
  const listed = await context.call('contact.list', { params, query: {} });
  // An incomplete list does not show who is missing.
  if (listed.length >= count) return { known: { find: finder(listed) }, contacts: listed };
  let looked = 0;
  const known = async (rows: readonly SaidRow[]): Promise<Known> => {
    const contacts = [...listed];
    const lookUp = async (addresses: readonly string[]) => {
      for await (const found of contactsByAddress(context, book.id, addresses)) {
        contacts.push(...found);
      }
      return finder(contacts);
    };
    const find = await lookUp(rows.flatMap(({ email }) => spellings(email)));
    const missing = rows.filter(({ email }) => find(email) === undefined);
    looked += rows.length;
    context.report(`Compared ${grouped(looked)} rows`, '');
    return { find: await lookUp(missing.flatMap(({ email }) => capitalized(email))) };
  };
  return { known, contacts: undefined };
}

/** An address as given and in lower case, since the book may have either. */
export function spellings(email: string): readonly string[] {
  const lower = addressKey(email);
  return lower === email ? [email] : [email, lower];
}

/** An address as phones write it, in lower case after a capital; none if that is how it is given. */
function capitalized(email: string): readonly string[] {
  const capital = email.charAt(0).toUpperCase() + addressKey(email).slice(1);
  return capital === email || capital === addressKey(email) ? [] : [capital];
}
