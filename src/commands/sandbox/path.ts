import { defineCommand } from '../../lib/command/command.ts';
import type { LocalContext } from '../../lib/command/context.ts';
import { documentOf } from '../../lib/command/prints.ts';
import { sandboxDirectory } from '../../lib/files/directories.ts';
import type { PathReply } from '../../lib/json-schemas/account.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { textResult } from '../../lib/output/result.ts';

export const command = defineCommand({
  description:
    'The directory does not exist until the sandbox is used. It may be deleted at any time.',
  effects: {},
  prints: [documentOf('the directory', schemas.account('pathReply'))],
  withoutAccount: true,
  examples: { 'rm -r "$(mailer sandbox path)"': 'Delete the sandbox and its data' },
  async run(context: LocalContext) {
    const path = sandboxDirectory(context.system);
    return textResult({ reply: { path } satisfies PathReply, text: path });
  },
});
