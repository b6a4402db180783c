import type { Campaign, CampaignSummary } from '../../api/campaign.ts';
import type { Contact, ContactBook } from '../../api/contact.ts';
import { type Lookup, ofContact } from '../../shared/merge.ts';
import type { Context } from '../command/context.ts';
import { fetchBook } from '../command/names/books.ts';
import { withContact } from '../command/names/contacts.ts';
import { NotOfferedError } from '../errors.ts';

/**
 * The contact of a campaign's book with this id or address, and the values that the campaign fills in. Throws a `NotFoundError` if the book has none, and a
 * `NotOfferedError` if the service does not show the book of the campaign.
 */
export async function contactOfTest(
  context: Context,
  { id, contactBookId }: CampaignSummary & Partial<Campaign>,
  named: string,
) {
  if (!contactBookId) {
    throw new NotOfferedError(`This service does not show the contact book of campaign ${id}.`, {
      hint: 'Leave out --contact: the test then has the placeholders as they are written.',
    });
  }
  const book = await fetchBook(context, contactBookId);
  const contact = await withContact(
    context,
    book.id,
    named,
    async (_, contactId, listed) =>
      listed ??
      (await context.call('contact.get', { params: { contactBookId: book.id, contactId } })),
  );
  return { contact, lookup: lookupOf(book, contact) };
}

/** What the book declares as variables, then what all contacts have: as the service does. */
function lookupOf({ variables }: ContactBook, contact: Contact): Lookup {
  const declared = variables ?? [];
  const names = new Set(declared.map((name) => name.toLowerCase()));
  const properties = Object.entries(contact.properties ?? {}).map(
    ([name, value]) => [name, value == null ? null : String(value)] as const,
  );
  return ofContact([
    ...declared.map((name) => [name, null] as const),
    ...properties.filter(([name]) => names.has(name.toLowerCase())),
    ['email', contact.email],
    ['firstName', contact.firstName ?? null],
    ['lastName', contact.lastName ?? null],
  ]);
}
