import { defineCommand } from '../../../lib/command.ts';
import { done } from '../../../lib/output/result.ts';
import { assertSuccess } from '../../../lib/success.ts';

export const command = defineCommand({
  writes: true,
  examples: [
    ['mailer contact book delete book_customers', 'Asks, then deletes the book'],
    ['mailer contact book delete book_customers --yes', 'In a script'],
  ],
  flags: (command) => command.argument('<id>', 'id of the contact book'),
  async run(context, _options, contactBookId) {
    await context.prompts.confirm(
      `This deletes contact book ${contactBookId} and every contact in it, with who has unsubscribed. Delete it?`,
    );
    const reply = await context.call(
      'contactBook.delete',
      { params: { contactBookId } },
      { nameOf: (field) => (field === 'contactBookId' ? 'ID' : undefined) },
    );
    assertSuccess(reply);
    return done({
      reply,
      ids: [reply.id ?? contactBookId],
      message: `Deleted contact book ${contactBookId} and its contacts.`,
    });
  },
});
