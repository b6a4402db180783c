import { schemas } from '../../json-schemas/load.ts';
import type { OpenReply } from '../../json-schemas/sandbox.ts';
import { UnavailableError, UsageError } from '../../lib/base/errors.ts';
import { sandboxDirectory } from '../../lib/base/files/directories.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { textResult } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description: 'The sandbox must be running: mailer sandbox start.',
  effects: {},
  exits: { 7: 'the sandbox is not running' },
  prints: [documentOf('the URL of the inbox', schemas.sandbox('openReply'))],
  quiet: 'only the URL; opens nothing',
  withoutAccount: true,
  examples: { 'mailer sandbox open': 'Read the messages in the browser' },
  async run(context) {
    const { system, notes } = context;
    const directory = sandboxDirectory(system);
    const { runningSandbox } = await import('../../local-service/running-sandbox.ts');
    const served = await runningSandbox(context, directory);
    if (served === undefined) {
      throw new UnavailableError(`The sandbox in ${directory} is not running.`, {
        hint: 'Start it in another terminal: mailer sandbox start',
      });
    }
    const { chosenInbox } = await import('../../local-service/chosen-account.ts');
    const url = chosenInbox(context, served.url);
    // A program that reads the output needs only the URL.
    if (system.stdout.isTTY === true && context.format() === 'table') {
      await system.openUrl(url).catch((error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        notes.warn(`${error.message}. Open the page yourself.`);
      });
    }
    return textResult({ reply: { url } satisfies OpenReply, text: url });
  },
});
