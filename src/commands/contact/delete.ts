import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { askAndDelete, refuseUnasked } from '../../lib/command-line/command/delete-once.ts';
import { bookNeed } from '../../lib/command-line/command/names/books.ts';
import { withContact } from '../../lib/command-line/command/names/contacts.ts';
import { contactGiven } from '../../lib/command-line/command/names/last-made.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { namedBy } from '../../lib/service/http/named-by.ts';

export const command = defineCommand({
  description: 'On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { deletes: true },
  exits: { 4: 'there is no such contact in this book' },
  prints: [replyOf('contact.delete')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation'],
  examples: {
    'mailer contact delete ana@example.org --book Customers': 'Asks, then deletes it',
    'mailer contact delete contact_ana --book book_customers --yes': 'In a script',
  },
  flags: (command) =>
    command
      .argument('<contact>', 'id or email address; @last for the last one created here')
      .option('--book <book>', 'contact book it is in: id or exact name'),
  async run(context, options, given) {
    const { prompts } = context;
    const { contact: named, book: known } = await contactGiven(context, given, options.book);
    const [book = ''] = await askForValues([bookNeed(context, known)], prompts);
    const isAsked = await refuseUnasked(
      context,
      (found?: string) => question(found ?? named, book),
      (within) => addressOf(within, book, named),
    );
    return await withContact(context, book, named, async (contactBookId, contactId, listed) => {
      const params = { contactBookId, contactId };
      const nameOf = namedBy({ contactBookId: '--book', contactId: 'CONTACT' });
      // An id means little to the person who is asked.
      const found = listed ?? (isAsked ? await context.call('contact.get', { params }) : undefined);
      const shown = found?.email ?? named;
      const asked = { question: question(shown, book), id: contactId, assumed: { success: true } };
      return await askAndDelete(context, `contact ${shown}`, asked, (options) =>
        context.call('contact.delete', { params }, { ...options, nameOf }),
      );
    });
  },
});

async function addressOf(context: Context, book: string, named: string): Promise<string> {
  return await withContact(context, book, named, async (contactBookId, contactId, listed) => {
    const params = { contactBookId, contactId };
    return (listed ?? (await context.call('contact.get', { params }))).email;
  });
}

function question(contact: string, book: string): string {
  return `This deletes contact ${contact} from book ${book}, including its properties and subscription. Delete it?`;
}
