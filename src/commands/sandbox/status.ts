import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { sandboxDirectory } from '../../lib/directories.ts';
import { directorySize } from '../../lib/directory-size.ts';
import { record, time } from '../../lib/output/result.ts';
import { clockInWords } from '../../lib/text/clock-in-words.ts';

export const command = defineCommand({
  texts: {
    json: 'what is shown, as one JSON document',
    quiet: 'only the word running or stopped',
  },
  examples: [['mailer sandbox status', 'Where the sandbox is, and whether it is being served']],
  flags: (command) => command,
  async run(context) {
    const directory = sandboxDirectory(context.system);
    const bytes = await directorySize(directory);
    const { runningSandbox } = await import('../../lib/running-sandbox.ts');
    const served = bytes === 0 ? undefined : (await runningSandbox(context, directory))?.baseUrl;
    const { hasData } = await import('../../sandbox/data.ts');
    const ahead = hasData(directory) ? await aheadOf(context, directory) : 0;
    const now = new Date(context.system.now() + ahead).toISOString();
    const reply = {
      directory,
      bytes,
      running: served !== undefined,
      baseUrl: served ?? null,
      now,
      aheadMs: ahead,
    };
    return record({
      reply,
      quiet: served === undefined ? 'stopped' : 'running',
      rows: [
        ['directory', 'Directory', directory],
        ['bytes', 'Size', bytes === 0 ? 'empty: made at the first use' : `${bytes} bytes`],
        [
          'running',
          'Served',
          served === undefined ? 'no: mailer sandbox start' : `yes, at ${served}`,
        ],
        ...(ahead === 0 ? [] : ([['now', 'Clock', time(now, { seconds: true })]] as const)),
      ],
      ...(ahead === 0 ? {} : { note: `Its clock is ${clockInWords(ahead)}.` }),
    });
  },
});

async function aheadOf({ system }: Context, directory: string): Promise<number> {
  const { openLocalService } = await import('../../local-service/data.ts');
  const sandbox = openLocalService({ directory, now: system.now });
  try {
    return sandbox.ahead();
  } finally {
    sandbox.close();
  }
}
