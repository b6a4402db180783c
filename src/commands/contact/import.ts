import { allowEmptyFlag } from '../../lib/bulk/input/allow-empty.ts';
import { askForValues } from '../../lib/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { bookNeed } from '../../lib/command/names/books.ts';
import { addImportFlags } from '../../lib/import/flags.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  quiet: 'only the name of the run',
  examples: [
    ['mailer contact import customers.csv --book Customers', 'Compare with the book, ask, import'],
    [
      'mailer contact import customers.csv --book Customers --yes --results imported.csv',
      'In a script; the outcome of each row goes to a file',
    ],
    [
      'mailer contact import customers.csv --book Customers --add-variables',
      'Let campaigns use every column',
    ],
  ],
  flags: (command) =>
    addImportFlags(command)
      .optionsGroup('Rows:')
      .option(...allowEmptyFlag),
  async run(context, options, path) {
    const [book = ''] = await askForValues([bookNeed(context, options.book)], context.prompts);
    const { importFile } = await import('../../lib/import/run.ts');
    return await importFile(context, options, book, path);
  },
});
