import { withBook } from '../../../lib/command/books.ts';
import { defineCommand } from '../../../lib/command/command.ts';
import { deleteOnce } from '../../../lib/command/delete-once.ts';
import { assertSuccess } from '../../../lib/command/success.ts';
import { done } from '../../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [
    ['mailer contact book delete Customers', 'Asks, then deletes the book'],
    ['mailer contact book delete book_customers --yes', 'In a script'],
  ],
  flags: (command) => command.argument('<book>', 'id or exact name'),
  async run(context, _options, named) {
    await context.prompts.confirm(
      `This deletes contact book ${named} and every contact in it, including who has unsubscribed. Delete it?`,
    );
    const nameOf = (field: string) => (field === 'contactBookId' ? 'BOOK' : undefined);
    return await withBook(context, named, async (contactBookId) => {
      const { reply, gone } = await deleteOnce(
        `contact book ${named}`,
        { id: contactBookId, success: true },
        (options) =>
          context.call('contactBook.delete', { params: { contactBookId } }, { ...options, nameOf }),
      );
      assertSuccess(reply);
      return done({
        reply,
        ids: [reply.id ?? contactBookId],
        message: gone ?? `Deleted contact book ${named} and its contacts.`,
      });
    });
  },
});
