import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
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
    const served = bytes === 0 ? undefined : await servedAt(context, directory);
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

/** The base URL of the server that the directory's note names, if it answers. */
async function servedAt(context: Context, directory: string): Promise<string | undefined> {
  const { readMark } = await import('../../lib/sandbox-mark.ts');
  const mark = await readMark(directory);
  const url = mark === undefined ? null : URL.parse(mark.url);
  if (mark === undefined || url === null) return undefined;
  const network = await context.system.network({ env: {} });
  try {
    const request = { method: 'GET', url, headers: {} };
    const { status, body } = await network.send(request, AbortSignal.timeout(2000));
    // Another program may have the port by now.
    return status === 200 && body.includes('sandbox of an email delivery service')
      ? mark.baseUrl
      : undefined;
  } catch {
    return undefined;
  } finally {
    await network.close();
  }
}
