import type { Contact } from '../../api/contact.ts';
import type { Part } from '../bulk/journal/parts.ts';
import { contactsByAddress } from '../contact/by-address.ts';
import { spellings } from './compare.ts';
import { sameFor } from './contact-rows.ts';
import { contactsOf, type ImportedContact, type PlacedContact } from './imported-contact.ts';
import type { Sending } from './sending.ts';

/** A contact of a part that the book has. */
export interface FoundContact extends PlacedContact {
  readonly found: Contact;
  /** Whether it is as it was sent. */
  readonly isAsSent: boolean;
}

/**
 * Looks which contacts of a part the book has; at `positions` only, where these are given. `each` is told of
 * them as they are found, also when an error follows.
 */
export async function lookFor(
  { context, book, bodies }: Pick<Sending, 'context' | 'book' | 'bodies'>,
  part: Pick<Part, 'chunk' | 'positions'>,
  positions?: readonly number[],
  each: (found: FoundContact) => void = () => {},
): Promise<FoundContact[]> {
  const placed = contactsOf(part, bodies, positions);
  const byAddress = new Map(placed.map((one) => [sameFor(one.contact.email), one]));
  const found = new Map<number, FoundContact>();
  const addresses = placed.flatMap(({ contact }) => spellings(contact.email));
  for await (const step of contactsByAddress(context, book.id, addresses)) {
    for (const contact of step.found) {
      const sent = byAddress.get(sameFor(contact.email));
      // Two of a book may differ only in case: the one whose address was sent is meant.
      if (sent === undefined) continue;
      if (found.has(sent.position) && contact.email !== sent.contact.email) continue;
      const isAsSent = hasAll(contact, sent.contact);
      const one = { ...sent, found: contact, isAsSent };
      found.set(sent.position, one);
      each(one);
    }
  }
  return [...found.values()];
}

/** Whether a contact has all that was sent of it. To subscribe is up to the service. */
function hasAll(contact: Contact, sent: ImportedContact): boolean {
  if (sent.firstName !== undefined && sent.firstName !== contact.firstName) return false;
  if (sent.lastName !== undefined && sent.lastName !== contact.lastName) return false;
  if (sent.subscribed === false && contact.subscribed !== false) return false;
  const properties = contact.properties ?? {};
  for (const name in sent.properties) {
    if (sent.properties[name] !== properties[name]) return false;
  }
  return true;
}
