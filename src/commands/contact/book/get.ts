import { defineCommand } from '../../../lib/command/command.ts';
import { fetchBook } from '../../../lib/command/names/books.ts';
import { showBook } from '../../../lib/contact/book/show-book.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'times'],
  examples: [
    ['mailer contact book get Customers', 'Show a contact book and its double opt-in'],
    [
      'mailer contact book get Customers --fields variables',
      'The variables that its campaigns can use',
    ],
  ],
  flags: (command) =>
    command.argument('<book>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, named) {
    return showBook(await fetchBook(context, named));
  },
});
