import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { bookNeed } from '../../lib/command-line/command/names/books.ts';
import { withContact } from '../../lib/command-line/command/names/contacts.ts';
import { contactGiven } from '../../lib/command-line/command/names/last-made.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { showContact } from '../../lib/people/contact/show-contact.ts';

export const command = defineCommand({
  description:
    'A subscription is pending while the contact has not confirmed it. A contact that was added here, @last, needs no --book.',
  effects: { reads: true },
  exits: { 4: 'there is no such contact in this book' },
  prints: [replyOf('contact.get')],
  takes: ['service', 'sandbox', 'times'],
  examples: {
    'mailer contact get ana@example.org --book Customers': 'Show a contact and its properties',
    'mailer contact get @last': 'The last one added here',
  },
  flags: (command) =>
    command
      .argument('<contact>', 'id or email address; @last for the last one created here')
      .option('--book <book>', 'contact book it is in: id or exact name'),
  async run(context, options, given) {
    const { contact: named, book: known } = await contactGiven(context, given, options.book);
    const [book = ''] = await askForValues([bookNeed(context, known)], context.prompts);
    return await withContact(context, book, named, async (contactBookId, contactId, contact) => {
      const params = { contactBookId, contactId };
      return showContact(contact ?? (await context.call('contact.get', { params })));
    });
  },
});
