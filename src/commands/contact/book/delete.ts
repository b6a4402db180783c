import type { ContactBook } from '../../../api/contact.ts';
import { PolicyError } from '../../../lib/base/errors.ts';
import { quantity } from '../../../lib/base/text/quantity.ts';
import { defineCommand } from '../../../lib/command-line/command/command.ts';
import { askAndDelete, refuseUnasked } from '../../../lib/command-line/command/delete-once.ts';
import {
  type ExpectedCount,
  expectedCount,
  expectedInWords,
  isExpected,
} from '../../../lib/command-line/command/flags/expected-count.ts';
import { fetchBook, withBook } from '../../../lib/command-line/command/names/books.ts';
import { idGiven } from '../../../lib/command-line/command/names/last-made.ts';
import { replyOf } from '../../../lib/command-line/command/prints.ts';
import { countAt } from '../../../lib/command-line/output/count-at.ts';
import { namedBy } from '../../../lib/service/http/named-by.ts';

export const command = defineCommand({
  description:
    'On a terminal, it asks first; elsewhere, it needs --yes. With --expect-contacts, it deletes the book only if it has that many, even with --yes.',
  effects: { deletes: true },
  exits: { 4: 'there is no such contact book' },
  prints: [replyOf('contactBook.delete')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation'],
  examples: {
    'mailer contact book delete Customers': 'Asks, then deletes the book',
    'mailer contact book delete book_customers --yes --expect-contacts 240': 'In a script',
  },
  flags: (command) =>
    command
      .argument('<book>', 'id or exact name; @last for the last one created here')
      .option(
        '--expect-contacts <n>',
        'delete it only if it has this many contacts, such as 240 or 200..300',
        expectedCount('--expect-contacts'),
      ),
  async run(context, { expectContacts: expected }, given) {
    const named = await idGiven(context, 'contact book', given);
    const isAsked = await refuseUnasked(
      context,
      (book?: ContactBook) => question(named, book),
      (within) => fetchBook(within, named),
    );
    const nameOf = namedBy({ contactBookId: 'BOOK' });
    return await withBook(context, named, async (contactBookId, listed) => {
      const params = { contactBookId };
      // Nobody knows an id by heart, and the number of contacts matters.
      const isCounted = expected !== undefined && context.flags.dryRun !== true;
      const book =
        listed ??
        (isAsked || isCounted ? await context.call('contactBook.get', { params }) : undefined);
      if (isCounted) assertCount(expected, named, book);
      const shown = `contact book ${book?.name ?? named}`;
      const message = `Deleted ${shown} and its contacts.`;
      const assumed = { id: contactBookId, success: true };
      const asked = { question: question(named, book), id: contactBookId, assumed, message };
      return await askAndDelete(context, shown, asked, (options) =>
        context.call('contactBook.delete', { params }, { ...options, nameOf }),
      );
    });
  },
});

/** Throws a `PolicyError` unless a book has as many contacts as expected. */
function assertCount(expected: ExpectedCount, named: string, book: ContactBook | undefined): void {
  const count = book?._count?.contacts;
  const known = typeof count === 'number' ? count : undefined;
  if (isExpected(expected, known)) return;
  const has =
    known === undefined
      ? 'cannot be counted: the service does not tell how many contacts it has'
      : `has ${quantity(known, 'contact')}, not ${expectedInWords(expected)}`;
  throw new PolicyError(`--expect-contacts: the contact book ${named} ${has}.`, {
    hint: 'Nothing was deleted.',
  });
}

function question(named: string, book?: ContactBook): string {
  const count = countAt(book, '_count.contacts');
  const which = book === undefined ? named : `${JSON.stringify(book.name)} (id ${book.id})`;
  const contacts = count === undefined ? 'every contact' : quantity(count, 'contact');
  return `This deletes contact book ${which} and ${contacts} in it, including those who have unsubscribed. Delete it?`;
}
