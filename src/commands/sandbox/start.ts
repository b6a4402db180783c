import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { sandboxDirectory } from '../../lib/directories.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseInteger } from '../../lib/numbers.ts';
import { textResult } from '../../lib/output/result.ts';
import { repeatableOption } from '../../lib/repeatable.ts';
import type { FreshData } from '../../sandbox/open.ts';

const defaultPort = 4100;

export const command = defineCommand({
  texts: {
    json: 'URLs, port and key as one JSON document',
    quiet: 'only the base URL',
  },
  examples: [
    ['mailer sandbox start', 'Serve the sandbox until Ctrl-C'],
    ['mailer sandbox start --port 0 --json', 'On any free port, for scripts'],
    ['mailer sandbox start --empty --seed seeds.json', 'With the data of a file and no other'],
  ],
  flags: (command) =>
    command
      .option(
        '--port <n>',
        `port, 0 for any free one (default: ${defaultPort})`,
        parseInteger('--port', { min: 0, max: 65_535 }),
      )
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .addOption(
        repeatableOption(
          '--allow-host <name>',
          'answer requests for this name too, under which others reach it; repeat',
        ),
      )
      .option('--reset', 'begin with fresh data')
      .option('--empty', 'begin with no data')
      .option('--seed <file>', 'add what is in a file of sandbox seed; - for stdin'),
  async run(context, options) {
    const { port = defaultPort, host = '127.0.0.1', allowHost = [] } = options;
    const { openLocalService } = await import('../../local-service.ts');
    const { serve } = await import('../../sandbox/serve.ts');
    const { inBackground } = await import('../../sandbox/background.ts');
    const { now, signal } = context.system;
    const directory = sandboxDirectory(context.system);
    const fresh = await prepareData(context, options);
    const log = (line: string) => context.notes.warn(line);
    const sandbox = openLocalService({ directory, now, log, fresh });
    const serving = { fetch: sandbox.fetch, host, port, allowedHosts: allowHost.map(hostName) };
    const served = await serve(serving).catch((error: unknown) => {
      sandbox.close();
      throw cannotListen(error, host, port);
    });
    const stopBackground = inBackground(() => sandbox.catchUp(served.origin), log);
    const { markRunning } = await import('../../lib/sandbox-mark.ts');
    const unmark = await markRunning(directory, { url: served.origin, baseUrl: served.url });
    announce(context, served.origin, host, directory);
    return textResult({
      reply: { url: served.origin, baseUrl: served.url, port: served.port, apiKey: sandbox.apiKey },
      text: `export MAILER_BASE_URL=${served.url}\nexport MAILER_API_KEY=${sandbox.apiKey}`,
      quiet: served.url,
      afterwards: async () => {
        try {
          await aborted(signal);
        } finally {
          stopBackground();
          await unmark();
          await served.close();
          sandbox.close();
        }
      },
    });
  },
});

interface DataFlags {
  readonly reset?: boolean | undefined;
  readonly empty?: boolean | undefined;
  readonly seed?: string | undefined;
}

/** What the sandbox is to begin with. Nothing is deleted before the file has been checked. */
async function prepareData(
  context: Context,
  { reset, empty = false, seed }: DataFlags,
): Promise<FreshData> {
  const service = await import('../../local-service.ts');
  const where = { directory: sandboxDirectory(context.system), now: context.system.now };
  const seeds =
    seed === undefined ? undefined : await service.readSeeds(seed, context.files, '--seed');
  const fresh = { empty, seeds };
  if (reset === true || empty) service.resetLocalService(where, fresh);
  else if (seeds !== undefined) service.seedLocalService(where, seeds);
  return fresh;
}

/** A name as a Host header has it, without a port. */
function hostName(name: string): string {
  const isName = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i.test(name);
  const host = isName ? URL.parse(`http://${name}`)?.hostname : undefined;
  if (host !== undefined) return host;
  throw new UsageError(`--allow-host: "${name}" is not the name of a host`, {
    hint: 'It is the name alone, such as mail, without http:// and port.',
  });
}

function announce(context: Context, origin: string, host: string, directory: string): void {
  context.notes.say(`The sandbox runs at ${origin}; its data is in ${directory}.`);
  context.notes.say('To use it from another terminal, run these two lines there. Ctrl-C stops it.');
  if (!/^(127\.|localhost$|::1$)/.test(host)) {
    context.notes.warn(`${host} is not loopback: others on the network can reach the sandbox.`);
  }
}

function cannotListen(error: unknown, host: string, port: number): UsageError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why =
    code === 'EADDRINUSE'
      ? 'the port is in use'
      : error instanceof Error
        ? error.message
        : String(error);
  return new UsageError(`Cannot listen on ${host}:${port}: ${why}`, {
    hint: '--port 0 takes any free port.',
    cause: error,
  });
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  throw signal.reason;
}
