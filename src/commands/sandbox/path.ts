import { defineCommand } from '../../lib/command/command.ts';
import { sandboxDirectory } from '../../lib/files/directories.ts';
import type { PathReply } from '../../lib/json-schemas/account.ts';
import { textResult } from '../../lib/output/result.ts';

export const command = defineCommand({
  withoutAccount: true,
  examples: [['rm -r "$(mailer sandbox path)"', 'Delete the sandbox and its data']],
  flags: (command) => command,
  async run(context) {
    const path = sandboxDirectory(context.system);
    return textResult({ reply: { path } satisfies PathReply, text: path });
  },
});
