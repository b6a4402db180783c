import { askForValues } from '../../lib/command/ask-for-values.ts';
import { bookNeed } from '../../lib/command/books.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { deleteOnce } from '../../lib/command/delete-once.ts';
import { idGiven } from '../../lib/command/last-made.ts';
import { assertSuccess } from '../../lib/command/success.ts';
import { withContact } from '../../lib/contact/resolve.ts';
import { done } from '../../lib/output/result.ts';

const names: Readonly<Record<string, string>> = { contactBookId: '--book', contactId: 'CONTACT' };

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [
    ['mailer contact delete ana@example.org --book Customers', 'Asks, then deletes it'],
    ['mailer contact delete contact_ana --book book_customers --yes', 'In a script'],
  ],
  flags: (command) =>
    command
      .argument('<contact>', 'id or email address; @last for the last one created here')
      .option('--book <book>', 'contact book it is in: id or exact name'),
  async run(context, options, given) {
    const named = await idGiven(context, 'contact', given);
    const [book = ''] = await askForValues([bookNeed(context, options.book)], context.prompts);
    await context.prompts.confirm(
      `This deletes contact ${named} from book ${book}, including its properties and subscription. Delete it?`,
    );
    return await withContact(context, book, named, async (contactBookId, contactId) => {
      const params = { contactBookId, contactId };
      const nameOf = (field: string) => names[field];
      const { reply, gone } = await deleteOnce(`contact ${named}`, { success: true }, (options) =>
        context.call('contact.delete', { params }, { ...options, nameOf }),
      );
      assertSuccess(reply);
      return done({ reply, ids: [contactId], message: gone ?? `Deleted contact ${named}.` });
    });
  },
});
