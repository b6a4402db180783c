import type { PathReply } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { sandboxDirectory } from '../../lib/base/files/directories.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { textResult } from '../../lib/command-line/output/result.ts';

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
