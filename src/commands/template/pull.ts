import { schemas } from '../../json-schemas/load.ts';
import { quantity } from '../../lib/base/text/quantity.ts';
import { quotedNames } from '../../lib/base/text/quoted-names.ts';
import { visible } from '../../lib/base/text/visible.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { fileList, withResult } from '../../lib/mail/template/file-rows.ts';
import { compareWithFiles, writeFiles } from '../../lib/mail/template/pull.ts';

export const command = defineCommand({
  description:
    'Each file has the HTML of a template, below its name and subject in YAML between two lines of ---. If several templates have the same name, the newest is written. mailer-templates.lock.json, in the same directory, has the id of each. Before it replaces a file that differs, it asks on a terminal, and needs --yes elsewhere.',
  effects: { reads: true, local: true },
  exits: { 4: 'the service does not offer templates' },
  prints: [rowsOf('the files of the directory', schemas.templateFiles('fileRow'))],
  takes: ['service', 'sandbox', 'lists', 'confirmation'],
  quiet: 'only file names, one per line',
  examples: {
    'mailer template pull templates': 'Write a file for each template',
    'mailer template pull templates --yes': 'Replace files that differ, without asking',
  },
  offers: { directory: 'files' },
  flags: (command) =>
    command.argument('<directory>', 'directory for the files; created if it does not exist'),
  async run(context, _options, directory) {
    const { openWriter } = await import('../../lib/mail/template/writer.ts');
    const writer = await openWriter(context, directory);
    const { pulled, blank } = await compareWithFiles(context, directory);
    const before = pulled.map(({ row }) => row);
    const changed = withResult(before, 'changed');
    if (changed.length > 0) {
      await context.prompts.confirm(
        `${quantity(changed.length, 'file')} would be replaced with the service's version. Continue?`,
        'Nothing was written',
        changed.map(({ file }) => visible(file)),
      );
    }
    const rows = await writeFiles(pulled, writer);
    const ofEditor = pulled.filter(({ template }) => template.isOfEditor).length;
    const written = `Wrote ${quantity(withResult(rows, 'written').length, 'file')}.`;
    const lost = `Written in the dashboard's editor: ${quantity(ofEditor, 'template')}. The files have only the HTML, and a version that is pushed from them cannot be edited there.`;
    const leftOut = `Left out, because they have no subject or no HTML: ${quotedNames(blank)}`;
    return fileList(rows, {
      note: () => [
        written,
        ...(ofEditor > 0 ? [lost] : []),
        ...(blank.length > 0 ? [leftOut] : []),
      ],
      ...(blank.length > 0 ? { empty: leftOut } : {}),
    });
  },
});
