import { defineCommand } from '../../../lib/command-line/command/command.ts';
import { replyOf } from '../../../lib/command-line/command/prints.ts';
import { done } from '../../../lib/command-line/output/result.ts';
import { addUpdateBookFlags } from '../../../lib/people/contact/book/book-flags.ts';
import { changeBook, readBookChanges } from '../../../lib/people/contact/book/update-book.ts';

export const command = defineCommand({
  description:
    'Only the named fields change. The book is read first, so that other variables and properties are kept. A name that another book has is an error, unless --allow-duplicate is given.',
  effects: { changes: true },
  exits: { 4: 'there is no such contact book', 5: 'another book has the name' },
  prints: [replyOf('contactBook.update')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'files'],
  examples: {
    'mailer contact book update Customers --add-variable city':
      'Campaigns can use {{city}}, too; the other variables are kept',
    'mailer contact book update Readers --double-opt-in off': 'Change double opt-in',
  },
  offers: { '--double-opt-in-from': 'senders' },
  flags: addUpdateBookFlags,
  async run(context, options, named) {
    const changes = await readBookChanges(context, options);
    const reply = await changeBook(context, named, changes);
    return done({ reply, ids: [reply.id], message: `Updated contact book ${reply.name}.` });
  },
});
