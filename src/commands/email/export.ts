import { defineCommand } from '../../lib/command/command.ts';
import { choice } from '../../lib/command/flags/choice.ts';
import { documentOf } from '../../lib/command/prints.ts';
import { UsageError } from '../../lib/errors.ts';
import { addFindFlags, findOffers } from '../../lib/find/find-flags.ts';
import { parseDuration } from '../../lib/input/duration.ts';
import { schemas } from '../../lib/json-schemas/load.ts';

export const command = defineCommand({
  description:
    'Each email has what email list shows, its last event, and its whole history; that is a request each. The newest come first. It writes to FILE.partial, and puts that in place once it is complete; the same command resumes after a stop. With --since-last, it adds what is new to a file, or as a new file to a directory, and writes emails again whose status has changed: keep the last row of each id. CSV has no bodies.',
  effects: { reads: true, local: true },
  exits: {
    4: 'there is no such domain or run; or the service does not tell the status',
    5: 'another process writes the same file',
  },
  prints: [documentOf('what was written', schemas.found('emailExportReply'))],
  takes: ['service', 'sandbox', 'confirmation', 'times'],
  quiet: 'only the name of the file',
  examples: [
    ['mailer email export --output emails.jsonl', 'Every email with its history'],
    [
      'mailer email export --failed --since 30d --output failed.csv',
      'What failed in a month, for a spreadsheet',
    ],
    [
      'mailer email export --since-last --output archive/',
      'Every night: what is new, and late bounces, as a file of its own',
    ],
  ],
  offers: findOffers,
  flags: (command) =>
    addFindFlags(command)
      .optionsGroup('Flags:')
      .option('--output <path>', 'file or directory, readable by you only')
      .addOption(
        choice(
          '--format <jsonl|csv>',
          ['jsonl', 'csv'],
          'of the file (default: CSV if its name ends in .csv)',
        ),
      )
      .option('--since-last', 'only what is new or has changed since the last export')
      .option(
        '--overlap <duration>',
        'with --since-last, how long emails may change (default: 7d)',
        parseDuration('--overlap'),
      ),
  async run(context, options) {
    if (options.output === undefined) {
      throw new UsageError('--output is missing: the file or directory to write to');
    }
    const { exportEmails } = await import('../../lib/find/export/export-emails.ts');
    return await exportEmails(context, options);
  },
});
