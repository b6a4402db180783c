import { askForValues } from '../../lib/command/ask-for-values.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { deleteOnce } from '../../lib/command/delete-once.ts';
import { idGiven } from '../../lib/command/last-made.ts';
import { assertSuccess } from '../../lib/command/success.ts';
import { done } from '../../lib/output/result.ts';

const names: Readonly<Record<string, string>> = { contactBookId: '--book', contactId: 'ID' };

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [
    ['mailer contact delete contact_ana --book book_customers', 'Asks, then deletes it'],
    ['mailer contact delete contact_ana --book book_customers --yes', 'In a script'],
  ],
  flags: (command) =>
    command
      .argument('<id>', 'id of the contact; @last for the last one created here')
      .option('--book <id>', 'contact book it is in'),
  async run(context, options, given) {
    const contactId = await idGiven(context, 'contact', given);
    const [contactBookId = ''] = await askForValues(
      [{ flag: '--book', question: 'Id of the contact book', value: options.book }],
      context.prompts,
    );
    await context.prompts.confirm(
      `This deletes contact ${contactId} from book ${contactBookId}, including its properties and subscription. Delete it?`,
    );
    const params = { contactBookId, contactId };
    const nameOf = (field: string) => names[field];
    const { reply, gone } = await deleteOnce(`contact ${contactId}`, { success: true }, (options) =>
      context.call('contact.delete', { params }, { ...options, nameOf }),
    );
    assertSuccess(reply);
    return done({ reply, ids: [contactId], message: gone ?? `Deleted contact ${contactId}.` });
  },
});
