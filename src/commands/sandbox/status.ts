import { defineCommand } from '../../lib/command.ts';
import { sandboxDirectory } from '../../lib/directories.ts';
import { directorySize } from '../../lib/directory-size.ts';
import { record } from '../../lib/output/result.ts';

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
    const reply = { directory, bytes, running: served !== undefined, baseUrl: served ?? null };
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
      ],
    });
  },
});
