import { defineCommand } from '../../../lib/command-line/command/command.ts';
import { fetchBook } from '../../../lib/command-line/command/names/books.ts';
import { replyOf } from '../../../lib/command-line/command/prints.ts';
import { showBook } from '../../../lib/people/contact/book/show-book.ts';

export const command = defineCommand({
  description:
    'It shows the properties that campaigns can use, and the sender and the subject of the email that double opt-in sends.',
  effects: { reads: true },
  exits: { 4: 'there is no such contact book' },
  prints: [replyOf('contactBook.get')],
  takes: ['service', 'sandbox', 'times'],
  examples: {
    'mailer contact book get Customers': 'Show a contact book and its double opt-in',
    'mailer contact book get Customers --fields variables':
      'The variables that its campaigns can use',
  },
  flags: (command) =>
    command.argument('<book>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, named) {
    return showBook(await fetchBook(context, named));
  },
});
