import { addBulkFlags, type BulkFlags } from '../../lib/bulk/flags.ts';
import { defineCommand } from '../../lib/command.ts';
import { UsageError } from '../../lib/errors.ts';

export const command = defineCommand({
  writes: true,
  lists: true,
  examples: [
    [
      'mailer email batch people.csv --from news@example.com --subject "Hi {{ name }}" --html-file hi.html',
      'A row, an email; Liquid templates over the columns',
    ],
    ['mailer email batch emails.jsonl --yes --results sent.jsonl', 'In a script; a line per row'],
    ['make-emails | mailer email batch - --yes --quiet', 'What a program prints; only the ids'],
    ['mailer email batch people.csv --template tmpl_hi --preview 3', 'Look first, send nothing'],
  ],
  flags: addBulkFlags,
  async run(context, options, path) {
    if (options.status === true) {
      return (await import('../../lib/bulk/show-runs.ts')).showRuns(context);
    }
    if (options.open === true && options.preview === undefined) {
      throw new UsageError('--open needs --preview');
    }
    if (path === undefined) throw new UsageError('Missing FILE: a path, or - for stdin');
    // Its own flags and those of the email are on the same command.
    const flags = options as BulkFlags;
    if (flags.preview !== undefined) {
      const { previewFile } = await import('../../lib/bulk/preview.ts');
      return await previewFile(context, flags, path, flags.preview);
    }
    const { sendFile } = await import('../../lib/bulk/run.ts');
    return await sendFile(context, flags, path);
  },
});
