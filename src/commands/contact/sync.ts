import { schemas } from '../../json-schemas/load.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { bookNeed } from '../../lib/command-line/command/names/books.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { addSyncFlags } from '../../lib/people/sync/sync-flags.ts';

export const command = defineCommand({
  description:
    'Contacts are added and changed as by mailer contact import. Contacts that are not in the file are kept and only counted, unless --unsubscribe-missing or --delete-missing is given; with these, it is an error if more than half of the book is not in the file. Contacts that have unsubscribed are neither subscribed again nor deleted. It needs the whole list of contacts, so the book may have at most 5,000. You can run it again at any time: it compares again, and sends only what still differs. On a terminal, it shows the difference and asks; elsewhere, it needs --yes.',
  effects: { changes: true, mails: true, deletes: ['--delete-missing'], local: true },
  exits: {
    2: 'invalid rows, too many missing, or a book of over 5,000; nothing was sent',
    4: 'there is no such contact book, or the service does not offer bulk requests',
    10: 'some contacts did not arrive in time, or their outcome is unknown',
    11: 'some rows were rejected or left out',
  },
  prints: [
    documentOf(
      'the contacts that differ between file and book, and what was done with each; with `--dry-run`, what would be done',
      schemas.sync('syncReply'),
      { line: schemas.sync('difference') },
    ),
  ],
  takes: ['service', 'sandbox', 'lists', 'expected digests', 'confirmation', 'files'],
  quiet: 'only addresses of contacts that differ',
  examples: {
    'mailer contact sync customers.csv --book Customers': 'Show what differs, and ask',
    'mailer contact sync customers.csv --book Customers --unsubscribe-missing --yes':
      'In a nightly job',
    'mailer contact sync customers.csv --book Customers --dry-run': 'Change nothing',
  },
  flags: addSyncFlags,
  async run(context, options, path) {
    const [book = ''] = await askForValues([bookNeed(context, options.book)], context.prompts);
    const { syncFile } = await import('../../lib/people/sync/sync-file.ts');
    return await syncFile(context, { ...options, book }, path);
  },
});
