import { schemas } from '../../json-schemas/load.ts';
import type { StartReply } from '../../json-schemas/sandbox.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { sandboxDirectory } from '../../lib/base/files/directories.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { compact } from '../../lib/base/text/compact.ts';
import { setVariable } from '../../lib/base/text/shell-quote.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { choice } from '../../lib/command-line/command/flags/choice.ts';
import { rarelyNeeded } from '../../lib/command-line/command/flags/rarely-needed.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { textResult } from '../../lib/command-line/output/result.ts';
import { allowRemoteFlag } from '../../lib/command-line/webhook/handler-url.ts';
import { secretFlag } from '../../lib/command-line/webhook/secret.ts';
import { isLoopback } from '../../lib/service/http/network/base-url.ts';
import { createAccountJobs } from '../../local-service/account-jobs.ts';
import { deliveryOf, tellWaiting } from '../../local-service/delivery.ts';
import { requestPrinter } from '../../local-service/request-printer.ts';
import type { RunningSandbox } from '../../local-service/sandbox-mark.ts';
import {
  assertNoLoop,
  hostName,
  languageIn,
  readFaults,
  readLatency,
  readRateLimit,
  smtpServerOf,
} from '../../local-service/start-flags.ts';
import { webhooksGiven } from '../../local-service/webhook-flags.ts';
import { languages } from '../../sandbox/http/language.ts';
import type { SandboxAccount } from '../../sandbox/open.ts';
import { eventTypes } from '../../shared/webhook/event-types.ts';

const defaultPort = 4100;

const parsePort = (flag: string) => parseInteger(flag, { min: 0, max: 65_535 });

export const command = defineCommand({
  description:
    "It prints two lines that point a client of this API at it, and runs until Ctrl-C. Its URL is an inbox of what was sent. The recipient's address determines the outcome: opened@, bounced@, complained@, delayed@; others are delivered.",
  effects: { local: true },
  exits: { 2: 'the port is in use, or a flag is wrong', 130: 'stopped with Ctrl-C, as usual' },
  prints: [
    documentOf(
      'its URLs and key, one line once it accepts requests',
      schemas.sandbox('startReply'),
    ),
  ],
  takes: ['times'],
  quiet: 'only the base URL, without the requests',
  withoutAccount: true,
  examples: {
    'mailer sandbox start': 'Serve the sandbox until Ctrl-C',
    'mailer sandbox start --port 0 --json': 'On any free port, for scripts',
    'mailer sandbox start --fault "POST /v1/emails 503 x2"':
      'Fail the next two sends, as a proxy does when the service is down',
    'mailer sandbox start --empty --seed seeds.json': 'With the data of a file only',
    'mailer sandbox start --webhook localhost:3000/webhooks':
      'Send calls to a handler, as a service does',
  },
  grammar: {
    title: 'Faults: METHOD PATH EFFECT [xN], such as "POST /v1/emails 503 x2"',
    rows: [
      ['METHOD', 'such as POST; * for all'],
      ['PATH', 'without /api; {id} for any part, /* for the rest, * for all'],
      ['503', 'respond with any status from 400 to 599'],
      ['503:text', 'with a body of the shape envelope, zod, bare, text or html'],
      ['delay 2s', 'wait first; delays add up'],
      ['drop', 'close the connection, do nothing'],
      ['drop-reply', 'carry out the request, close without a response'],
      ['cut-reply', 'carry out the request, close after half of the response'],
      ['expired-key', '403, as for an expired key'],
      ['blocked', '403 on sends, as for a blocked account'],
      ['short 3', 'skip every third email of a batch; 200 with fewer ids'],
      ['SMTP RCPT 451', 'a reply of SMTP; CONNECT, AUTH, MAIL, DATA, * and delay, drop'],
      ['xN', 'only the next N requests; the first matching fault applies'],
    ],
  },
  flags: (command) =>
    command
      .option(
        '--port <n>',
        `port, 0 for any free one (default: ${defaultPort})`,
        parsePort('--port'),
      )
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .option(
        '--smtp-port <n>',
        'accept mail over SMTP on this port, from any domain',
        parsePort('--smtp-port'),
      )
      .option(
        '--dns-port <n>',
        'serve the DNS records of its domains on this port',
        parsePort('--dns-port'),
      )
      .option('--clock <when>', 'initial time of its clock')
      .option('--reset', 'reset the data first')
      .option('--empty', 'delete all data first')
      .option('--seed <file>', 'load a file first, like sandbox seed; - for stdin')
      .option(
        '--smtp <url>',
        'deliver mail to smtp://HOST:PORT; a URL with a password belongs in MAILER_SANDBOX_SMTP_URL',
      )
      .addOption(repeatableOption('--webhook <url>', 'send calls to this handler; repeat'))
      .addOption(
        repeatableOption('--fault <fault>', 'make requests fail or wait, see Faults below; repeat'),
      )
      .option('--latency <time>', 'make every request wait, such as 200ms or 2s', readLatency)
      .option('--rate-limit <n/s>', 'respond with 429 beyond this rate, such as 2/s', readRateLimit)
      .optionsGroup(rarelyNeeded)
      .option('--smtp-tls', 'offer STARTTLS, with a certificate made for it')
      .option(
        '--temporary',
        'with data of its own, which is deleted at the end; a third line points mailer at it',
      )
      .option('--exit-with-parent', 'end when the program that started it ends')
      .addOption(
        repeatableOption('--allow-host <name>', 'another host name to accept requests for; repeat'),
      )
      .addOption(
        repeatableOption(
          '--webhook-events <event>',
          'only calls of this event; repeat',
          eventTypes,
        ),
      )
      .option(...secretFlag)
      .option(...allowRemoteFlag)
      .addOption(
        choice('--language <en|pt>', languages, 'language of its messages (default: en)', {
          ifEmpty: undefined,
        }),
      ),
  async run(context, options) {
    const { port = defaultPort, allowHost = [], rateLimit, smtpPort, dnsPort } = options;
    const { smtpTls = false } = options;
    if (smtpTls && smtpPort === undefined) throw new UsageError('--smtp-tls needs --smtp-port');
    // An empty address would mean all networks.
    const host = options.host || '127.0.0.1';
    const allowedHosts = allowHost.map(hostName);
    const faults = [...(await readFaults(options.fault ?? [])), ...(options.latency ?? [])];
    const language = options.language ?? languageIn(context.system.env.MAILER_SANDBOX_LANGUAGE);
    const smtpServer = smtpServerOf(options.smtp, context.system.env.MAILER_SANDBOX_SMTP_URL);
    if (smtpPort === undefined && faults.some(({ method }) => method === 'SMTP')) {
      throw new UsageError('A fault of SMTP needs --smtp-port');
    }
    if (smtpPort !== undefined) assertNoLoop(smtpServer, smtpPort);
    const webhooks = await webhooksGiven(context, {
      urls: options.webhook ?? [],
      flag: '--webhook',
      events: options.webhookEvents,
      eventsFlag: '--webhook-events',
      allowRemote: options.allowRemote,
      secretFile: options.secretFile,
      temporary: true,
    });
    const { openLocalService, prepareData } = await import('../../local-service/data.ts');
    const { loadAll, serveSandbox } = await import('../../local-service/serving.ts');
    const { certificatePath, smtpCertificate } = await import(
      '../../local-service/smtp-certificate.ts'
    );
    const { inBackground } = await import('../../local-service/background.ts');
    const { tellClock } = await import('../../local-service/sandbox-clock.ts');
    const { directory, remove } =
      options.temporary === true
        ? (await import('../../local-service/temporary-data.ts')).temporaryData()
        : { directory: sandboxDirectory(context.system), remove: () => {} };
    const parentRuns = options.exitWithParent === true ? context.system.watchParent() : () => true;
    const orphaned = Promise.withResolvers<void>();
    const { notes } = context;
    const log = (line: string) => notes.warn(line);
    const say = (line: string) => notes.say(line);
    const hosts = ['localhost', '127.0.0.1', '::1', host, ...allowedHosts];
    const smtp =
      smtpPort === undefined
        ? undefined
        : {
            port: smtpPort,
            tls: smtpTls
              ? await smtpCertificate(directory, hosts, context.system.now())
              : undefined,
          };
    const printRequest = await requestPrinter(context);
    const attending = createAccountJobs(printRequest);
    const opened = async (account: SandboxAccount) =>
      attending.add(account, await deliveryOf(notes, account, smtpServer));
    const place = { host, port, allowedHosts, smtp, dnsPort };
    const {
      reached,
      port: boundPort,
      sandbox,
      close,
    } = await serveSandbox(
      place,
      async () => {
        const data = await prepareData(context, directory, options);
        const serving = { log, say, faults, rateLimit, language, webhooks, opened };
        return openLocalService({ ...data, ...serving });
      },
      printRequest,
    ).catch((error: unknown) => {
      remove();
      throw error;
    });
    await opened(sandbox);
    const stopBackground = inBackground(() => {
      if (!parentRuns()) orphaned.resolve();
      attending.work(reached.url);
    }, log);
    const unmark = await mark(context, directory, reached);
    notes.say(
      `The sandbox is running; its data is in ${directory}.`,
      `Inbox: ${reached.url}`,
      ...addresses(reached, smtpTls),
    );
    if (!isLoopback(host)) {
      notes.warn(`${host} is not loopback: others on the network can reach the sandbox.`);
    }
    const wanted = options.clock !== undefined;
    await tellClock({ ahead: sandbox.ahead(), moved: sandbox.clockMoved, wanted }, context);
    if (faults.length > 0) {
      const texts = faults.map(({ text }) => text).join('; ');
      notes.say(`Faults are on: ${texts}. See ${reached.url}/control for how often each was used.`);
    }
    const lines = [
      setVariable('MAILER_BASE_URL', reached.baseUrl, context.system),
      setVariable('MAILER_API_KEY', sandbox.apiKey, context.system),
      // Without it, `mailer sandbox wait` and `--sandbox` would have other data.
      ...(options.temporary === true
        ? [setVariable('MAILER_SANDBOX_DIR', directory, context.system)]
        : []),
    ];
    // Nothing may be printed between this note and the lines it announces.
    notes.say(
      context.format() === 'table'
        ? `To use it from another terminal, run these ${lines.length === 2 ? 'two' : 'three'} lines there. Ctrl-C stops it.`
        : 'Ctrl-C stops it.',
    );
    return textResult({
      reply: {
        ...reached,
        port: boundPort,
        apiKey: sandbox.apiKey,
        ...(reached.smtpPort !== undefined && {
          smtpUrl: `smtp://${new URL(reached.url).hostname}:${reached.smtpPort}`,
        }),
        ...(smtpTls && { smtpCertificate: certificatePath(directory) }),
      } satisfies StartReply,
      text: lines.join('\n'),
      quiet: reached.baseUrl,
      afterwards: async (signal) => {
        try {
          await loadAll();
          await Promise.race([aborted(signal), orphaned.promise]);
        } finally {
          stopBackground();
          await unmark();
          await close();
          tellWaiting(notes, await attending.stop());
          sandbox.close();
          remove();
        }
      },
    });
  },
});

/** Addresses of the sandbox besides HTTP. */
function addresses({ url, smtpPort, dnsPort }: RunningSandbox, smtpTls: boolean): string[] {
  const { hostname } = new URL(url);
  return compact(
    smtpPort !== undefined &&
      `SMTP: host ${hostname}, port ${smtpPort}, ${smtpTls ? 'with STARTTLS or without TLS' : 'no TLS'}, any login or none`,
    dnsPort !== undefined && `DNS: ${hostname}:${dnsPort}`,
  );
}

/**
 * Lets other commands find this server. If that fails, for example on a full disk, the server still works.
 */
async function mark(
  context: Context,
  directory: string,
  running: RunningSandbox,
): Promise<() => Promise<void>> {
  const { notes } = context;
  const { runningSandbox } = await import('../../local-service/running-sandbox.ts');
  const { markRunning } = await import('../../local-service/sandbox-mark.ts');
  const found = await runningSandbox(context, directory);
  // A server that was killed may have used the same port.
  const other = found?.url === running.url ? undefined : found;
  if (other !== undefined) {
    notes.warn(
      `The same data is being served at ${other.url}: both have the same messages, and a reset deletes them for both. To separate them, set MAILER_SANDBOX_DIR for one.`,
    );
  }
  try {
    return await markRunning(directory, running, other);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notes.warn(`Other commands will not know that it is running: ${reason}`);
    return async () => {};
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  throw signal.reason;
}
