import type { Contact } from '../../api/contact.ts';
import type { Part } from '../bulk/journal/run-parts.ts';
import { contactsByAddress } from '../contact/by-address.ts';
import { changesTo } from '../contact/compare-contacts.ts';
import { spelledBy } from '../contact/property-names.ts';
import { spellings } from './compare.ts';
import { addressKey } from './contact-rows.ts';
import { contactsOf, type PlacedContact } from './imported-contact.ts';
import type { Sending } from './sending.ts';

/** A contact of a part that the book has. */
export interface FoundContact extends PlacedContact {
  readonly found: Contact;
  /** Whether all its fields are as sent, except `subscribed: true`, which is up to the service. */
  readonly isAsSent: boolean;
}

/**
 * Looks up which contacts of a part the book has, or only those at `positions`: the contacts that each
 * request finds. Of addresses in the book that differ only in case, the one that was sent counts last.
 */
export async function* findInBook(
  { context, book, bodies }: Pick<Sending, 'context' | 'book' | 'bodies'>,
  part: Pick<Part, 'chunk' | 'positions' | 'size'>,
  positions?: readonly number[],
): AsyncGenerator<readonly FoundContact[]> {
  const byAddress = new Map<string, PlacedContact>();
  const addresses: string[] = [];
  for (const one of contactsOf(part, bodies, positions)) {
    byAddress.set(addressKey(one.contact.email), one);
    addresses.push(...spellings(one.contact.email));
  }
  // The book may have new variables by now, whose spelling the service then uses.
  const spelled = spelledBy(book.variables);
  const seen = new Set<number>();
  for await (const step of contactsByAddress(context, book.id, addresses)) {
    const all: FoundContact[] = [];
    for (const found of step.found) {
      const sent = byAddress.get(addressKey(found.email));
      if (sent === undefined) continue;
      const { position, contact } = sent;
      if (seen.has(position) && found.email !== contact.email) continue;
      seen.add(position);
      const isAsSent = changesTo(found, contact, spelled).length === 0;
      all.push({ position, contact, found, isAsSent });
    }
    yield all;
  }
}

/** The contacts of a part that the book has. */
export async function allInBook(
  sending: Parameters<typeof findInBook>[0],
  part: Part,
): Promise<FoundContact[]> {
  const all = new Map<number, FoundContact>();
  for await (const step of findInBook(sending, part)) {
    for (const one of step) all.set(one.position, one);
  }
  return [...all.values()];
}
