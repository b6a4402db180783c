import { schemas } from '../../json-schemas/load.ts';
import type { ExportReply } from '../../json-schemas/sandbox.ts';
import { escapeJson } from '../../lib/base/text/visible.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done, stream } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'Loaded into an empty sandbox, the file restores the same account. Keys, recorded requests and the clock are not exported.',
  effects: { local: ['FILE'] },
  prints: [
    documentOf(
      'all its data, with or without `--json`; the input of `sandbox seed`',
      async () => (await import('../../sandbox/seeds/seed-file.ts')).seedFile,
    ),
    documentOf('the path of the file', schemas.sandbox('exportReply'), { when: 'FILE' }),
  ],
  takes: ['confirmation'],
  quiet: 'with a file, print nothing',
  withoutAccount: true,
  examples: {
    'mailer sandbox export seeds.json': 'Back up the sandbox',
    "mailer sandbox export | jq '.messages[].subject'": 'Process it with other tools',
  },
  flags: (command) =>
    command.argument('[file]', 'path, readable by you only; - for stdout (the default)'),
  async run(context: LocalContext, _options, target) {
    const file = target === '-' ? undefined : target;
    const { exportLocalService } = await import('../../local-service/data.ts');
    const { chosenDirectory } = await import('../../local-service/chosen-account.ts');
    const { joinedLines, isExistingFile, writeNamedFile } = await import(
      '../../lib/base/files/write-file.ts'
    );
    const { system, prompts } = context;
    if (file !== undefined && isExistingFile(file, system)) {
      await prompts.confirm(`Replace ${file} by the data of the sandbox?`, 'Nothing was written');
    }
    const where = { directory: chosenDirectory(context), now: system.now };
    const pieces = joinedLines(escaped(exportLocalService(where)));
    if (file === undefined) return stream(pieces);
    await writeNamedFile(pieces, file, system, { writer: 'export' });
    return done({
      reply: { file } satisfies ExportReply,
      ids: [],
      message: `Exported the sandbox to ${file}.`,
    });
  },
});

/** Escapes untrusted text, which must not control a terminal. */
function* escaped(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield escapeJson(piece);
}
