import type { PathReply } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { textResult } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description: 'The file does not exist until something is stored.',
  effects: {},
  prints: [documentOf('the path of the file', schemas.account('pathReply'))],
  withoutAccount: true,
  examples: { 'mailer config path': 'Profiles and settings are stored there' },
  async run(context: LocalContext) {
    const { path } = await context.configFile();
    return textResult({ reply: { path } satisfies PathReply, text: path });
  },
});
