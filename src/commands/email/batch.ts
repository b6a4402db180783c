import { schemas } from '../../json-schemas/load.ts';
import { printedOfRun } from '../../json-schemas/printed-of-run.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf, rowsOf } from '../../lib/command-line/command/prints.ts';
import { emailTitles } from '../../lib/mail/email/titles.ts';
import { addBulkFlags, type BulkFlags } from '../../lib/runs/bulk/flags.ts';
import { runTitles } from '../../lib/runs/bulk/show/titles.ts';

export const command = defineCommand({
  description:
    'The file may have any number of rows; {{ name }} in subject and body is a column of it. All rows are checked before the first email is sent. A journal records what is sent: if a run stops, the same command or mailer run resume resumes it. On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { mails: true, local: true },
  exits: {
    2: 'invalid rows, without --skip-invalid; nothing was sent',
    5: 'without --again: same rows and subject sent in the last day',
    9: 'with --wait: an email failed; with --check: a finding is an error',
    10: 'with --wait: the wait timed out for some emails',
    11: 'rows were rejected or left out, or their outcome is unknown',
  },
  prints: [
    ...printedOfRun,
    rowsOf('the emails as they would be sent', schemas.bulk('previewed'), {
      when: '--preview',
      columns: runTitles,
    }),
    replyOf('email.send', { when: '--row', columns: emailTitles }),
  ],
  takes: ['service', 'sandbox', 'lists', 'dry runs', 'approval', 'confirmation', 'times', 'files'],
  examples: {
    'mailer email batch people.csv --from news@example.com --subject "Hi {{ name }}" --html-file hi.html':
      'One email per row, with Liquid templates',
    'mailer email batch emails.jsonl --yes --results sent.jsonl':
      'In a script; the outcome of each row goes to a file',
    'mailer email batch emails.jsonl --to me@example.org --row 1': 'Send yourself a test of a row',
    'make-emails | mailer email batch - --yes --quiet':
      'Rows from another program; print only the ids',
  },
  offers: { '--in-reply-to': 'emails', '--from': 'senders' },
  flags: addBulkFlags,
  async run(context, options, path) {
    // The command has both its own flags and those of an email.
    const flags = options as BulkFlags;
    if (options.open === true && options.preview === undefined) {
      throw new UsageError('--open needs --preview');
    }
    if (flags.row !== undefined) {
      const { sendTestOfRow } = await import('../../lib/runs/bulk/show/test-row.ts');
      return await sendTestOfRow(context, flags, path, flags.row);
    }
    if (flags.preview !== undefined) {
      const { previewFile } = await import('../../lib/runs/bulk/show/preview.ts');
      return await previewFile(context, flags, path, flags.preview);
    }
    const { sendFile } = await import('../../lib/runs/bulk/run.ts');
    return await sendFile(context, flags, path);
  },
});
