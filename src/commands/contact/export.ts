import { schemas } from '../../json-schemas/load.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { bookNeed, fetchBook } from '../../lib/command-line/command/names/books.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { readBook } from '../../lib/people/contact/book/read-book.ts';
import { checkOutput, exportedBook } from '../../lib/people/contact/export-book.ts';

export const command = defineCommand({
  description:
    'The file is CSV, or JSON Lines if its name ends in .jsonl; mailer contact import reads it. An unchanged book gives the same file, byte for byte, so it can be kept in git. The field subscribed is empty for contacts who have not confirmed their subscription, so that an import does not change it. A service lists at most 5,000 contacts of a book; --emails-from looks up the others by address.',
  effects: { reads: true, local: ['--output'] },
  exits: {
    4: 'there is no such contact book',
    11: 'the book has more contacts than the service lists, so some are missing',
  },
  prints: [
    rowsOf(
      'the contacts, by address; `--output` writes it to a file',
      schemas.contactExport('exportedContact'),
    ),
  ],
  takes: ['service', 'sandbox', 'lists', 'confirmation', 'files'],
  quiet: 'only addresses, one per line',
  examples: {
    'mailer contact export --book Customers --output customers.csv': 'Save all contacts',
    'mailer contact export --book Customers --jsonl': 'One JSON object per line',
    'mailer contact export --book Customers --csv-safe --output sheet.csv':
      'For a spreadsheet: no value becomes a formula',
    'mailer contact export --book Everyone --emails-from everyone.csv --output all.csv':
      'A book of more than 5,000 contacts',
  },
  flags: (command) =>
    command
      .option('--book <book>', 'contact book: id or exact name')
      .option('--output <path>', 'write to a file, readable by you only')
      .option(
        '--emails-from <path>',
        'also export contacts with these addresses: CSV, JSON or one per line; - for stdin',
      ),
  async run(context, options) {
    const [named = ''] = await askForValues([bookNeed(context, options.book)], context.prompts);
    await checkOutput(context, options);
    const others = options.emailsFrom ? await addressesIn(context, options.emailsFrom) : [];
    const book = await fetchBook(context, named);
    return await exportedBook(context, await readBook(context, book, others), options);
  },
});

async function addressesIn(context: Context, path: string): Promise<readonly string[]> {
  const { readAddresses } = await import('../../lib/people/rows/address-list.ts');
  return await readAddresses(path, context);
}
