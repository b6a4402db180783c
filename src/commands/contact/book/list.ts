import type { ContactBook } from '../../../api/contact.ts';
import { defineCommand } from '../../../lib/command/command.ts';
import { contactBookColumns } from '../../../lib/contact/book/show-book.ts';
import { onePage } from '../../../lib/output/paging.ts';
import { list } from '../../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: [
    ['mailer contact book list', 'All contact books, with their numbers of contacts'],
    ['mailer contact book list --fields id,name', 'Two fields'],
  ],
  flags: (command) => command,
  async run(context) {
    const fetch = async () => {
      const reply = await context.call('contactBook.list', {});
      return { reply, rows: reply };
    };
    return list<ContactBook>({
      pages: onePage(fetch, 1),
      rowsIn: undefined,
      columns: contactBookColumns,
      id: ({ id }) => id,
      empty: 'No contact books.',
    });
  },
});
