import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { sandboxDirectory } from '../../lib/directories.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseInteger } from '../../lib/numbers.ts';
import { textResult } from '../../lib/output/result.ts';
import type { Sandbox } from '../../sandbox/open.ts';
import type { SmtpDelivery } from '../../sandbox/smtp/delivery.ts';
import type { SmtpUrl } from '../../sandbox/smtp/url.ts';

const defaultPort = 4100;

export const command = defineCommand({
  texts: {
    json: 'URLs, port and key as one JSON document',
    quiet: 'only the base URL',
  },
  examples: [
    ['mailer sandbox start', 'Serve the sandbox until Ctrl-C'],
    ['mailer sandbox start --port 0 --json', 'On any free port, for scripts'],
    ['mailer sandbox start --smtp smtp://127.0.0.1:1025', 'Have mail arrive in a mail catcher'],
  ],
  flags: (command) =>
    command
      .option(
        '--port <n>',
        `port, 0 for any free one (default: ${defaultPort})`,
        parseInteger('--port', { min: 0, max: 65_535 }),
      )
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .option('--reset', 'begin with fresh data')
      .option(
        '--smtp <url>',
        'hand mail to this SMTP server instead of making its delivery up: smtp:// or smtps://, with USER:PASSWORD@ where needed. In MAILER_SANDBOX_SMTP_URL instead, no list of processes shows the password',
      ),
  async run(context, { port = defaultPort, host = '127.0.0.1', reset, smtp }) {
    const smtpServer = await smtpServerOf(smtp, context.system.env.MAILER_SANDBOX_SMTP_URL);
    const { openLocalService, resetLocalService } = await import('../../local-service.ts');
    const { serve } = await import('../../sandbox/serve.ts');
    const { inBackground } = await import('../../sandbox/background.ts');
    const { now, signal } = context.system;
    const directory = sandboxDirectory(context.system);
    if (reset === true) resetLocalService({ directory, now });
    const log = (line: string) => context.notes.warn(line);
    const sandbox = openLocalService({ directory, now, log });
    const served = await serve({ fetch: sandbox.fetch, host, port }).catch((error: unknown) => {
      sandbox.close();
      throw cannotListen(error, host, port);
    });
    const delivery = await deliveryOf(context, sandbox, smtpServer);
    const stopBackground = inBackground(() => {
      sandbox.catchUp(served.origin);
      delivery?.work();
    }, log);
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
          tellWaiting(context, (await delivery?.stop()) ?? 0);
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

/** The SMTP server that a flag or the environment names. The URL, as it may hold a password, is not repeated. */
async function smtpServerOf(
  byFlag: string | undefined,
  byEnvironment: string | undefined,
): Promise<SmtpUrl | undefined> {
  const [text, source] = byFlag?.trim()
    ? [byFlag, '--smtp']
    : [byEnvironment?.trim(), 'MAILER_SANDBOX_SMTP_URL'];
  if (!text) return undefined;
  const { readSmtpUrl } = await import('../../sandbox/smtp/url.ts');
  const server = readSmtpUrl(text);
  if (server !== undefined) return server;
  throw new UsageError(`${source} is not the URL of an SMTP server`, {
    hint: 'Write smtp://127.0.0.1:1025, or smtps://USER:PASSWORD@HOST:PORT with what has special characters percent-encoded.',
  });
}

/** Begins to hand mail to the server, if there is one, and says what becomes of mail. */
async function deliveryOf(
  context: Context,
  sandbox: Sandbox,
  server: SmtpUrl | undefined,
): Promise<SmtpDelivery | undefined> {
  if (server === undefined) {
    tellWaiting(context, sandbox.deliverByItself());
    return undefined;
  }
  const delivery = await sandbox.deliverBySmtp(server);
  context.notes.say(`Mail is handed to the SMTP server ${server.name}.`);
  // Nobody waits for it: a server that is not there yet may come.
  void delivery.check();
  return delivery;
}

function tellWaiting(context: Context, waiting: number): void {
  if (waiting === 0) return;
  const emails = waiting === 1 ? '1 email waits' : `${waiting} emails wait`;
  context.notes.warn(`${emails} for an SMTP server until the sandbox is started with --smtp.`);
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
