import type { ContactBook } from '../../../api/contact.ts';
import { schemas } from '../../../json-schemas/load.ts';
import { defineCommand } from '../../../lib/command-line/command/command.ts';
import { replyOf } from '../../../lib/command-line/command/prints.ts';
import { list } from '../../../lib/command-line/output/result.ts';
import { contactBookColumns } from '../../../lib/people/contact/book/show-book.ts';

export const command = defineCommand({
  description: 'The newest book is first. It shows how many contacts each book has.',
  effects: { reads: true },
  prints: [replyOf('contactBook.list', { line: schemas.contacts('contactBook') })],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer contact book list': 'All contact books, with their numbers of contacts',
    'mailer contact book list --fields id,name': 'Two fields',
  },
  async run(context) {
    const rows = await context.call('contactBook.list', {});
    return list<ContactBook>({
      pages: [{ rows }],
      columns: contactBookColumns,
      id: ({ id }) => id,
      empty: 'No contact books.',
    });
  },
});
