import { askForValues } from '../../lib/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { bookNeed } from '../../lib/command/names/books.ts';
import { contactGiven } from '../../lib/command/names/last-made.ts';
import { replyOf } from '../../lib/command/prints.ts';
import { withContact } from '../../lib/contact/find-contact.ts';
import { readUpdateRequest } from '../../lib/contact/update-body.ts';
import { addUpdateFlags } from '../../lib/contact/update-flags.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  description:
    'Only the named fields change: properties are added or replaced one by one, and all others are kept.',
  effects: { changes: true },
  exits: { 4: 'there is no such contact in this book' },
  prints: [replyOf('contact.update')],
  takes: ['service', 'sandbox', 'dry runs'],
  examples: [
    [
      'mailer contact update contact_ana --book book_customers --first-name Ana --property plan=pro',
      'Change a name and a property; everything else stays',
    ],
    [
      'mailer contact update ana@example.org --book Customers --unsubscribed',
      'Unsubscribe, by address and name of the book',
    ],
  ],
  flags: addUpdateFlags,
  async run(context, options, given) {
    const { contact: named, book: known } = await contactGiven(context, given, options.book);
    const { body, nameOf } = await readUpdateRequest(context, options);
    const [book = ''] = await askForValues([bookNeed(context, known)], context.prompts);
    const reply = await withContact(context, book, named, (contactBookId, contactId) =>
      context.call('contact.update', { params: { contactBookId, contactId }, body }, { nameOf }),
    );
    return done({ reply, ids: [reply.contactId], message: `Updated contact ${named}.` });
  },
});
