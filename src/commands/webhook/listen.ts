import { schemas } from '../../json-schemas/load.ts';
import { parseChoice } from '../../lib/base/input/choice.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';
import { allowRemoteFlag, handlerUrl } from '../../lib/command-line/webhook/handler-url.ts';
import { readSecret, secretFlag } from '../../lib/command-line/webhook/secret.ts';
import type { KeptCall } from '../../lib/command-line/webhook/webhook-shapes.ts';
import { isLoopback } from '../../lib/service/http/network/base-url.ts';
import { eventTypes } from '../../shared/webhook/event-types.ts';

const defaultPort = 4200;

export const command = defineCommand({
  description:
    'It receives calls until Ctrl-C, checks the signature of each, and prints a line for it. With --forward-to, each call, valid or not, is forwarded with its body and headers, and the response of the handler is returned. Without it, valid calls get 200, others 401. The last 200 calls are kept in private files: see webhook log.',
  effects: { local: true },
  exits: { 2: 'the port is in use, or a flag is wrong', 130: 'stopped with Ctrl-C, as usual' },
  prints: [rowsOf('the calls, as they arrive', schemas.webhook('keptCall'))],
  takes: ['lists', 'times'],
  withoutAccount: true,
  quiet: 'only the ids of what was received',
  offers: { '--events': eventTypes },
  examples: {
    'mailer webhook listen': `Receive calls on port ${defaultPort}`,
    'mailer webhook listen --forward-to localhost:3000/webhooks':
      'Show each call, and how the handler responds',
    'mailer webhook listen --events email.bounced --jsonl': 'Bounces only, for a program',
  },
  flags: (command) =>
    command
      .option(
        '--port <n>',
        `port, 0 for any free one (default: ${defaultPort})`,
        parseInteger('--port', { min: 0, max: 65_535 }),
      )
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
      .option('--forward-to <url>', 'forward each call to this handler')
      .addOption(repeatableOption('--events <event>', 'only calls of this event; repeat'))
      .option('--count <n>', 'end after this many calls', parseInteger('--count', { min: 1 }))
      .option(...secretFlag)
      .option(...allowRemoteFlag),
  async run(context, options) {
    const { port = defaultPort, count = Number.POSITIVE_INFINITY } = options;
    const host = options.host || '127.0.0.1';
    const events = (options.events ?? []).map(parseChoice('--events', eventTypes));
    const forwardTo =
      options.forwardTo === undefined
        ? undefined
        : handlerUrl(options.forwardTo, '--forward-to', options.allowRemote);
    const secret = await readSecret(options.secretFile, context);
    const [{ openListener }, { receiveCalls }, { keptColumns, keptInLine }, { createQueue }] =
      await Promise.all([
        import('../../lib/command-line/webhook/listen.ts'),
        import('../../lib/command-line/webhook/listen-server.ts'),
        import('../../lib/command-line/webhook/show-kept.ts'),
        import('../../lib/command-line/webhook/queue.ts'),
      ]);
    const { system, notes } = context;
    const came = createQueue<KeptCall>(system.signal);
    const warn = (sentence: string) => notes.warn(sentence);
    const listener = await openListener(system, { secret, forwardTo, events, warn }, came.add);
    const server = await receiveCalls({ host, port, warn }, listener.take).catch(async (error) => {
      await listener.close();
      throw error;
    });
    const onwards = forwardTo === undefined ? '' : ` and forwarding to ${forwardTo.href}`;
    notes.say(`Receiving calls at ${server.url}${onwards}. Ctrl-C stops it.`);
    if (!isLoopback(host)) {
      notes.warn(`${host} is not a loopback address: others on the network can send calls.`);
    }
    async function* pages() {
      try {
        for (let shown = 0; shown < count; shown++) yield { rows: [await came.next()] };
      } finally {
        await server.close();
        await listener.close();
      }
    }
    return list<KeptCall>({
      pages: pages(),
      joinPages: true,
      columns: keptColumns,
      id: ({ id }) => id,
      line: keptInLine,
      empty: 'No calls were received.',
    });
  },
});
