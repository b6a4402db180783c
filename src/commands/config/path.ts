import { defineCommand } from '../../lib/command/command.ts';
import type { LocalContext } from '../../lib/command/context.ts';
import { documentOf } from '../../lib/command/prints.ts';
import type { PathReply } from '../../lib/json-schemas/account.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { textResult } from '../../lib/output/result.ts';

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
