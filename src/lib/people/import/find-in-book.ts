import type { Contact } from '../../../api/contact.ts';
import { acceptedValue } from '../../service/http/outcome.ts';
import { contactsByAddress } from '../contact/by-address.ts';
import { changesTo } from '../contact/compare-contacts.ts';
import { spelledBy } from '../contact/property-names.ts';
import { spellings } from './compare.ts';
import { addressKey } from './contact-rows.ts';
import { type ContactPart, contactsOf, type ImportedContact, type RowContact } from './parts.ts';
import { requestChange } from './request.ts';
import type { Sending } from './sending.ts';

/** A contact of a part that the book has. */
export interface FoundContact extends RowContact {
  readonly found: Contact;
  /** Whether all its fields are as sent, except `subscribed: true`, which is up to the service. */
  readonly isAsSent: boolean;
}

/**
 * Looks up which contacts of a part the book has, as requests find them. Of addresses in the book that differ only in case,
 * the one that was sent counts last.
 */
export async function* findInBook(
  { context, book }: Pick<Sending, 'context' | 'book'>,
  part: ContactPart,
): AsyncGenerator<FoundContact> {
  const byAddress = new Map<string, RowContact>();
  const addresses: string[] = [];
  for (const one of contactsOf(part)) {
    byAddress.set(addressKey(one.contact.email), one);
    addresses.push(...spellings(one.contact.email));
  }
  // The book may have new variables by now, whose spelling the service then uses.
  const spelled = spelledBy(book.variables);
  const seen = new Set<number>();
  for await (const step of contactsByAddress(context, book.id, addresses)) {
    for (const found of step) {
      const sent = byAddress.get(addressKey(found.email));
      if (sent === undefined) continue;
      const { row, contact } = sent;
      if (seen.has(row) && found.email !== contact.email) continue;
      seen.add(row);
      const isAsSent = changesTo(found, contact, spelled).length === 0;
      yield { row, contact, found, isAsSent };
    }
  }
}

/** The contacts of a part that the book has. */
export async function allInBook(
  sending: Pick<Sending, 'context' | 'book'>,
  part: ContactPart,
): Promise<FoundContact[]> {
  const all = new Map<number, FoundContact>();
  for await (const one of findInBook(sending, part)) all.set(one.row, one);
  return [...all.values()];
}

/** Changes a contact that the book has, in a request of its own, which sends no email. Returns its id. */
export async function changeFound(
  { context, book, begins }: Sending,
  { contact, found }: FoundContact,
): Promise<string> {
  const { subscribed, ...fields } = contact;
  const changed: ImportedContact = {
    ...fields,
    id: found.id,
    // In a PATCH, true would subscribe without a confirmation.
    ...(subscribed === false ? { subscribed } : {}),
  };
  return acceptedValue(await requestChange(context, book.id, changed, { onSend: begins }));
}

/** Records contacts that the book has, with their ids. Returns how many. */
export function arrive(
  { parts, ledger }: Pick<Sending, 'parts' | 'ledger'>,
  part: ContactPart,
  ids: ReadonlyMap<number, string>,
): number {
  if (ids.size === 0) return 0;
  const arrived = contactsOf(part).filter(({ row }) => ids.has(row));
  ledger?.forget(arrived.map(({ contact }) => contact.email));
  return parts.takeOut(part.id, 'there', ids);
}
