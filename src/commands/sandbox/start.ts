import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseInteger } from '../../lib/numbers.ts';
import { textResult } from '../../lib/output/result.ts';
import { repeatableOption } from '../../lib/repeatable.ts';
import { deliveryOf, tellWaiting } from '../../local-service/delivery.ts';
import {
  hostName,
  readFaults,
  readLatency,
  readRateLimit,
  smtpServerOf,
} from '../../local-service/start-flags.ts';
import type { Served } from '../../sandbox/serve.ts';

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
    [
      'mailer sandbox start --fault "POST /v1/emails 503 x2"',
      'Fail the next two sends, as a proxy does whose service is down',
    ],
    [
      'mailer sandbox start --fault "POST * drop-reply x1" --latency 200ms --rate-limit 2/s',
      'Lose one answer, be slow, and answer 429 beyond 2 requests a second',
    ],
    ['mailer sandbox start --empty --seed seeds.json', 'With the data of a file and no other'],
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
      .addOption(
        repeatableOption(
          '--allow-host <name>',
          'answer requests for this name too, under which others reach it; repeat',
        ),
      )
      .option('--clock <when>', 'the time that its clock shows at the start')
      .option('--reset', 'begin with fresh data')
      .option('--empty', 'begin with no data')
      .option('--seed <file>', 'add what is in a file of sandbox seed; - for stdin')
      .option(
        '--smtp <url>',
        'hand mail to this SMTP server instead of making its delivery up: smtp:// or smtps://, with USER:PASSWORD@ where needed. In MAILER_SANDBOX_SMTP_URL instead, no list of processes shows the password',
      )
      .addOption(
        repeatableOption(
          '--fault <fault>',
          'let requests fail: METHOD PATH EFFECT [xN], such as "POST /v1/emails 503 x2". METHOD and PATH may be *, and PATH may have {id} for one part and end in /*. EFFECT: a status from 400 to 599; delay 2s; drop (closes the connection and carries nothing out); drop-reply (carries it out, then closes); cut-reply (closes after half of the answer); expired-key (403, as for a key that has expired); blocked (403 on sends, as for a blocked account). xN: only the next N requests. All delays that match add up; of the others the first counts; repeat',
        ),
      )
      .option('--latency <time>', 'make every request wait, such as 200ms', readLatency)
      .option(
        '--rate-limit <n/s>',
        'answer 429 beyond this many requests a second, such as 2/s',
        readRateLimit,
      ),
  async run(context, options) {
    const { port = defaultPort, allowHost = [], rateLimit } = options;
    // An empty address would be that of all networks.
    const host = options.host || '127.0.0.1';
    const allowedHosts = allowHost.map(hostName);
    const faults = [...(await readFaults(options.fault ?? [])), ...(options.latency ?? [])];
    const smtpServer = await smtpServerOf(options.smtp, context.system.env.MAILER_SANDBOX_SMTP_URL);
    const { openLocalService } = await import('../../local-service/data.ts');
    const { prepareData } = await import('../../local-service/start-data.ts');
    const { serve } = await import('../../sandbox/serve.ts');
    const { inBackground } = await import('../../sandbox/background.ts');
    const { tellClock } = await import('../../lib/sandbox-clock.ts');
    const { signal } = context.system;
    const data = await prepareData(context, options);
    const log = (line: string) => context.notes.warn(line);
    const sandbox = openLocalService({ ...data, log, faults, rateLimit });
    const serving = { fetch: sandbox.fetch, host, port, allowedHosts };
    const served = await serve(serving).catch((error: unknown) => {
      sandbox.close();
      throw cannotListen(error, host, port);
    });
    const delivery = await deliveryOf(context.notes, sandbox, smtpServer);
    const stopBackground = inBackground(() => {
      sandbox.catchUp(served.origin);
      delivery?.work();
    }, log);
    const unmark = await mark(context, data.directory, served);
    announce(context, served.origin, host, data.directory);
    await tellClock({ ahead: sandbox.ahead(), moved: sandbox.clockMoved }, context);
    if (faults.length > 0) {
      const texts = faults.map(({ text }) => text).join('; ');
      context.notes.say(`Faults are on: ${texts}. See ${served.origin}/control for their use.`);
    }
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
          tellWaiting(context.notes, (await delivery?.stop()) ?? 0);
          sandbox.close();
        }
      },
    });
  },
});

/** Has other commands find this server. Without it, as on a full disk, it does its work all the same. */
async function mark(
  { notes }: Context,
  directory: string,
  { origin, url }: Served,
): Promise<() => Promise<void>> {
  const { markRunning } = await import('../../lib/sandbox-mark.ts');
  try {
    return await markRunning(directory, { url: origin, baseUrl: url });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notes.warn(`Other commands will not know that it runs: ${reason}`);
    return async () => {};
  }
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
