import { schemas } from '../../json-schemas/load.ts';
import type { ResetReply } from '../../json-schemas/sandbox.ts';
import { sandboxDirectory } from '../../lib/base/files/directories.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description: 'A running sandbox continues with the new data.',
  effects: { deletes: true, local: true },
  prints: [documentOf('the directory', schemas.sandbox('resetReply'))],
  takes: ['confirmation'],
  quiet: 'print nothing',
  withoutAccount: true,
  examples: {
    'mailer sandbox reset': 'Asks, then restores the example data and the real time',
    'mailer sandbox reset --yes': 'In a script',
  },
  flags: (command) => command.option('--empty', 'without the example data'),
  async run(context: LocalContext, { empty = false }) {
    const { resetLocalService } = await import('../../local-service/data.ts');
    const directory = sandboxDirectory(context.system);
    await context.prompts.confirm(
      `This deletes all data of the sandbox in ${directory}. Delete it?`,
      'Nothing was deleted',
    );
    resetLocalService({ directory, now: context.system.now, fresh: { empty } });
    return done({
      reply: { directory } satisfies ResetReply,
      ids: [],
      message: `The sandbox in ${directory} is ${empty ? 'empty' : 'reset to its example data'}.`,
    });
  },
});
