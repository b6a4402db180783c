import { schemas } from '../../json-schemas/load.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { allowEmptyFlag } from '../../lib/command-line/command/flags/allow-empty.ts';
import { bookNeed } from '../../lib/command-line/command/names/books.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { addImportFlags } from '../../lib/people/import/flags.ts';

export const command = defineCommand({
  description:
    'The rows are JSON, JSON Lines or CSV, in any number. The columns email, first name, last name and subscribed are recognised in any spelling; each other column is a property, and an empty cell changes nothing. Columns of other programs that say who wants email are recognised; if a column only may say so, nothing is sent, and the error names the flags that decide. All rows are checked and compared with the book before the first request. Only new and changed contacts are sent, and read back until the book has them. Contacts that have unsubscribed stay unsubscribed. In a book with double opt-in, new contacts get an email that asks for confirmation, each only once. If an import stops, the same command compares again, and sends what still differs. On a terminal, it offers to create a book that is missing, and asks before it sends; elsewhere, it needs --yes.',
  effects: { changes: true, mails: true, local: true },
  exits: {
    2: 'invalid rows, without --skip-invalid, or an address twice, without --last-wins; nothing was sent',
    4: 'there is no such contact book, or the service does not offer bulk requests',
    10: 'some contacts did not arrive in time, or their outcome is unknown',
    11: 'some rows were rejected or left out',
  },
  prints: [
    documentOf('the numbers of rows by their outcome', schemas.contactImport('importReply')),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation', 'files'],
  quiet: 'only the id of the book',
  examples: {
    'mailer contact import customers.csv --book Customers': 'Compare with the book, ask, import',
    'mailer contact import customers.csv --book Customers --yes --results imported.csv':
      'In a script; the outcome of each row goes to a file',
    'mailer contact import customers.csv --book Customers --add-variables':
      'Let campaigns use every column',
  },
  flags: (command) =>
    addImportFlags(command)
      .optionsGroup('Rows:')
      .option(...allowEmptyFlag),
  async run(context, options, path) {
    const ask = async () =>
      await (await import('../../lib/people/contact/book/book-or-new.ts')).chooseBookOrName(
        context,
      );
    const need = { ...bookNeed(context, options.book), ask };
    const [book = ''] = await askForValues([need], context.prompts);
    const { importFile } = await import('../../lib/people/import/run.ts');
    return await importFile(context, options, book, path);
  },
});
