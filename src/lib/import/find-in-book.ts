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
  /** Whether it has all that was sent of it; to subscribe is up to the service. */
  readonly isAsSent: boolean;
}

/**
 * Looks which contacts of a part the book has; at `positions` only, where these are given. `each` is told of
 * them as they are found, also when an error follows.
 */
export async function findInBook(
  { context, book, bodies }: Pick<Sending, 'context' | 'book' | 'bodies'>,
  part: Pick<Part, 'chunk' | 'positions' | 'size'>,
  positions?: readonly number[],
  each: (found: FoundContact) => void = () => {},
): Promise<FoundContact[]> {
  const placed = contactsOf(part, bodies, positions);
  const byAddress = new Map(placed.map((one) => [addressKey(one.contact.email), one]));
  // The book may have got variables since, whose spelling the service then takes.
  const spelled = spelledBy(book.variables);
  const found = new Map<number, FoundContact>();
  const addresses = placed.flatMap(({ contact }) => spellings(contact.email));
  for await (const step of contactsByAddress(context, book.id, addresses)) {
    for (const contact of step.found) {
      const sent = byAddress.get(addressKey(contact.email));
      // Two of a book may differ only in case: the one whose address was sent is meant.
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
