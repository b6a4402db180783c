import { defineCommand } from '../../lib/command/command.ts';
import type { PathReply } from '../../lib/json-schemas/account.ts';
import { textResult } from '../../lib/output/result.ts';

export const command = defineCommand({
  withoutAccount: true,
  examples: [['mailer config path', 'Profiles and settings are stored there']],
  flags: (command) => command,
  async run(context) {
    const { path } = await context.configFile();
    return textResult({ reply: { path } satisfies PathReply, text: path });
  },
});
