import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { parseDuration } from '../../lib/base/input/duration.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { choice } from '../../lib/command-line/command/flags/choice.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { addFindFlags, findOffers } from '../../lib/runs/find/find-flags.ts';

export const command = defineCommand({
  description:
    'Each email has what email list shows, its last event, and its whole history, which takes one request per email. The newest come first. The export is written to FILE.partial, which gets its final name once it is complete; if it stops, the same command resumes it. With --since-last, new emails are added to the file, or to the directory as a new file, and emails whose status has changed are written again: keep the last row of each id. CSV has no bodies.',
  effects: { reads: true, local: true },
  exits: {
    4: 'there is no such domain, run or campaign, or the service does not report the status',
    5: 'another process writes the same file',
  },
  prints: [documentOf('what was written', schemas.found('emailExportReply'))],
  takes: ['service', 'sandbox', 'confirmation', 'times'],
  quiet: 'only the name of the file',
  examples: {
    'mailer email export --output emails.jsonl': 'Every email with its history',
    'mailer email export --failed --since 30d --output failed.csv':
      'What failed in a month, for a spreadsheet',
    'mailer email export --since-last --output archive/':
      'Every night: new emails and late bounces, in a new file',
  },
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
        'with --since-last, how far back to look for changes (default: 7d)',
        parseDuration('--overlap'),
      ),
  async run(context, options) {
    if (options.output === undefined) {
      throw new UsageError('--output is missing: the file or directory to write to');
    }
    const { exportEmails } = await import('../../lib/runs/find/export/export-emails.ts');
    return await exportEmails(context, options);
  },
});
