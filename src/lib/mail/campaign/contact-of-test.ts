import type { Campaign, CampaignSummary } from '../../../api/campaign.ts';
import { ofContact } from '../../../shared/merge.ts';
import { NotOfferedError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { fetchBook } from '../../command-line/command/names/books.ts';
import { withContact } from '../../command-line/command/names/contacts.ts';

/**
 * The contact of a campaign's book with this id or address, and the values that the campaign fills in for them. Throws a
 * `NotFoundError` if the book has none, and a `NotOfferedError` if the service does not show the book of the campaign.
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
  return { contact, lookup: ofContact(book.variables ?? [], contact) };
}
