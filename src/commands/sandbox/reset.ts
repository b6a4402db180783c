import { defineCommand } from '../../lib/command/command.ts';
import { sandboxDirectory } from '../../lib/files/directories.ts';
import type { ResetReply } from '../../lib/json-schemas/sandbox.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['confirmation'],
  quiet: 'print nothing',
  withoutAccount: true,
  examples: [['mailer sandbox reset', 'Start over, with the clock at the real time']],
  flags: (command) => command.option('--empty', 'without sample data'),
  async run(context, { empty = false }) {
    const { resetLocalService } = await import('../../local-service/data.ts');
    const directory = sandboxDirectory(context.system);
    resetLocalService({ directory, now: context.system.now, fresh: { empty } });
    return done({
      reply: { directory } satisfies ResetReply,
      ids: [],
      message: `The sandbox in ${directory} is ${empty ? 'empty' : 'reset to its sample data'}.`,
    });
  },
});
