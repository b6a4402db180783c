import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { sandboxDirectory } from '../../lib/directories.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseInteger } from '../../lib/numbers.ts';
import { textResult } from '../../lib/output/result.ts';

const defaultPort = 4100;

export const command = defineCommand({
  texts: {
    json: 'URLs, port and key as one JSON document',
    quiet: 'only the base URL',
  },
  examples: [
    ['mailer sandbox start', 'Serve the sandbox until Ctrl-C'],
    ['mailer sandbox start --port 0 --json', 'On any free port, for scripts'],
    ['mailer sandbox start --reset --clock 2026-01-01T00:00:00Z', 'As if it were New Year'],
  ],
  flags: (command) =>
    command
      .option(
        '--port <n>',
        `port, 0 for any free one (default: ${defaultPort})`,
        parseInteger('--port', { min: 0, max: 65_535 }),
      )
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .option('--clock <when>', 'the time that its clock shows at the start')
      .option('--reset', 'begin with fresh data'),
  async run(context, { port = defaultPort, host = '127.0.0.1', clock, reset }) {
    const { openLocalService, resetLocalService } = await import('../../local-service.ts');
    const { serve } = await import('../../sandbox/serve.ts');
    const { inBackground } = await import('../../sandbox/background.ts');
    const { now, signal } = context.system;
    const { clockFlag, tellClock } = await import('../../lib/sandbox-clock.ts');
    const ahead = await clockFlag(clock, context);
    const directory = sandboxDirectory(context.system);
    if (reset === true) resetLocalService({ directory, now, ahead });
    const log = (line: string) => context.notes.warn(line);
    const sandbox = openLocalService({ directory, now, ahead, log });
    const served = await serve({ fetch: sandbox.fetch, host, port }).catch((error: unknown) => {
      sandbox.close();
      throw cannotListen(error, host, port);
    });
    const stopBackground = inBackground(() => sandbox.catchUp(served.origin), log);
    const { markRunning } = await import('../../lib/sandbox-mark.ts');
    const unmark = await markRunning(directory, { url: served.origin, baseUrl: served.url });
    announce(context, served.origin, host, directory);
    await tellClock({ ahead: sandbox.ahead(), moved: sandbox.clockMoved }, context);
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
