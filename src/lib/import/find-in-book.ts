import type { Contact } from '../../api/contact.ts';
import type { Part } from '../bulk/journal/run-parts.ts';
import { contactsByAddress } from '../contact/by-address.ts';
import { changesTo } from '../contact/compare.ts';
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
 * Looks up which contacts of a part the book has, or only those at `positions`. Calls `each` for every
 * contact as it is found, even if an error follows.
 */
export async function findInBook(
  { context, book, bodies }: Pick<Sending, 'context' | 'book' | 'bodies'>,
  part: Pick<Part, 'chunk' | 'positions' | 'size'>,
  positions?: readonly number[],
  each: (found: FoundContact) => void = () => {},
): Promise<FoundContact[]> {
  const placed = contactsOf(part, bodies, positions);
  const byAddress = new Map(placed.map((one) => [addressKey(one.contact.email), one]));
  // The book may have new variables by now, whose spelling the service then uses.
  const spelled = spelledBy(book.variables);
  const found = new Map<number, FoundContact>();
  const addresses = placed.flatMap(({ contact }) => spellings(contact.email));
  for await (const step of contactsByAddress(context, book.id, addresses)) {
    for (const contact of step.found) {
      const sent = byAddress.get(addressKey(contact.email));
      // If addresses in the book differ only in case, prefer the one that was sent.
      if (sent === undefined) continue;
      if (found.has(sent.position) && contact.email !== sent.contact.email) continue;
      const isAsSent = changesTo(contact, sent.contact, spelled).length === 0;
      const one = { position: sent.position, contact: sent.contact, found: contact, isAsSent };
      found.set(sent.position, one);
      each(one);
    }
  }
  return [...found.values()];
}
