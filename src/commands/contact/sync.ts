import { askForValues } from '../../lib/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { bookNeed } from '../../lib/command/names/books.ts';
import { addSyncFlags, type SyncFlags } from '../../lib/sync/sync-flags.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'lists', 'confirmation'],
  quiet: 'only addresses of contacts that differ',
  examples: [
    ['mailer contact sync customers.csv --book Customers', 'Show what differs, and ask'],
    [
      'mailer contact sync customers.csv --book Customers --unsubscribe-missing --yes',
      'In a nightly job',
    ],
    ['mailer contact sync customers.csv --book Customers --dry-run', 'Change nothing'],
  ],
  flags: addSyncFlags,
  async run(context, options, path) {
    // As in `email batch`, all flags are on the same command.
    const flags = options as SyncFlags;
    const [book = ''] = await askForValues([bookNeed(context, flags.book)], context.prompts);
    const { syncFile } = await import('../../lib/sync/sync-file.ts');
    return await syncFile(context, { ...flags, book }, path);
  },
});
