import { defineCommand } from '../../../lib/command/command.ts';
import { deleteOnce } from '../../../lib/command/delete-once.ts';
import { assertSuccess } from '../../../lib/command/success.ts';
import { done } from '../../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [
    ['mailer contact book delete book_customers', 'Asks, then deletes the book'],
    ['mailer contact book delete book_customers --yes', 'In a script'],
  ],
  flags: (command) => command.argument('<id>', 'id of the contact book'),
  async run(context, _options, contactBookId) {
    await context.prompts.confirm(
      `This deletes contact book ${contactBookId} and every contact in it, including who has unsubscribed. Delete it?`,
    );
    const nameOf = (field: string) => (field === 'contactBookId' ? 'ID' : undefined);
    const { reply, gone } = await deleteOnce(
      `contact book ${contactBookId}`,
      { id: contactBookId, success: true },
      (options) =>
        context.call('contactBook.delete', { params: { contactBookId } }, { ...options, nameOf }),
    );
    assertSuccess(reply);
    return done({
      reply,
      ids: [reply.id ?? contactBookId],
      message: gone ?? `Deleted contact book ${contactBookId} and its contacts.`,
    });
  },
});
