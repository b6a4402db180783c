import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import type { Bench, Figure } from './lib/bench.ts';
import { temporaryDirectory } from './lib/directories.ts';
import { program, startServer } from './lib/measure.ts';
import { previousBuild } from './lib/previous-build.ts';

const bareService = fileURLToPath(new URL('lib/bare-service.ts', import.meta.url));
const testing = new URL('../dist/testing/index.js', import.meta.url).href;

/** How many requests are under way at the same time. */
const sideBySide = 8;

const key = 'us_sandbox_local';

type Work = 'send' | 'batch of 100' | 'list of 50' | 'webhook call';

/** How long the requests of each kind took together, in milliseconds. */
type Load = Readonly<Record<Work, number>>;

export const bench: Bench = {
  summary: () =>
    'sandbox start under load, beside the commit before and bare hono with SQLite; startSandbox()',
  async run({ quick, runs }) {
    const counts: Load = quick
      ? { send: 20, 'batch of 100': 1, 'list of 50': 5, 'webhook call': 5 }
      : { send: 2000, 'batch of 100': 40, 'list of 50': 500, 'webhook call': 500 };
    // A quick run shows that the bench works, for which no other build is needed.
    const before = quick ? undefined : previousBuild();
    const taken = { sandbox: [] as Load[], before: [] as Load[], bare: [] as Load[] };
    const starts = { sandbox: [] as number[], node: [] as number[] };
    // In turn, so that other load on the machine affects both.
    for (let run = 1; run <= runs; run++) {
      process.stderr.write(`  ${run}/${runs}\n`);
      taken.sandbox.push(await onSandbox(counts));
      if (before !== undefined) taken.before.push(await onSandbox(counts, before.file));
      taken.bare.push(await onBareService(counts));
      const [sandbox, node] = await start();
      starts.sandbox.push(sandbox);
      starts.node.push(node);
    }
    const goal = quick ? {} : { atMost: 4 };
    return [
      // These have no goal: a test that waits for mail sends a handful of requests.
      ...Object.entries(counts).map(
        ([what, amount]): Figure => ({
          what: `${amount.toLocaleString('en')} × ${what}`,
          measured: taken.sandbox.map((load) => load[what as Work]),
          unit: 'ms',
          amount,
          baselines: [
            ...(before === undefined
              ? []
              : [
                  { name: before.commit, measured: taken.before.map((load) => load[what as Work]) },
                ]),
            {
              name: what === 'webhook call' ? 'a loop of fetch()' : 'bare service',
              measured: taken.bare.map((load) => load[what as Work]),
            },
          ],
        }),
      ),
      {
        what: 'startSandbox()',
        measured: starts.sandbox,
        unit: 'ms',
        baselines: [{ name: 'node -e 0', measured: starts.node, ...goal }],
      },
    ];
  },
};

async function onSandbox(counts: Load, file: string = program): Promise<Load> {
  const directory = temporaryDirectory();
  const server = await startServer({
    file,
    words: ['sandbox', 'start', '--port', '0', '--json'],
    env: { MAILER_SANDBOX_DIR: directory },
  });
  // The line that the program prints when it is ready, which its tests check.
  const { url } = JSON.parse(server.line) as { readonly url: string };
  const client = clientOf(url);
  const load = await client.load(counts);
  const handler = await startHandler();
  await client.ask('/control/webhooks', { url: handler.url, events: ['email.sent'] });
  for (let nth = 0; nth < counts['webhook call']; nth++) await client.ask('/api/v1/emails', email);
  const called = await timed(async () => {
    await client.ask('/control/advance', { by: '1s' });
    while (handler.calls() < counts['webhook call']) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  handler.close();
  await client.close();
  await server.stop();
  rmSync(directory, { recursive: true });
  return { ...load, 'webhook call': called };
}

async function onBareService(counts: Load): Promise<Load> {
  const directory = temporaryDirectory();
  const server = await startServer({ file: bareService, words: [join(directory, 'bare.sqlite')] });
  // Its own line.
  const { url } = JSON.parse(server.line) as { readonly url: string };
  const client = clientOf(url);
  const load = await client.load(counts);
  const handler = await startHandler();
  const body = JSON.stringify(email);
  const called = await timed(async () => {
    for (let nth = 0; nth < counts['webhook call']; nth++) {
      await (await fetch(handler.url, { method: 'POST', body })).arrayBuffer();
    }
  });
  handler.close();
  await client.close();
  await server.stop();
  rmSync(directory, { recursive: true });
  return { ...load, 'webhook call': called };
}

const email = {
  from: 'shop@example.com',
  to: 'ana@example.org',
  subject: 'Order',
  html: '<p>Thank you for your order.</p>'.repeat(50),
};

function clientOf(url: string) {
  const dispatcher = new Agent({ connections: sideBySide });

  async function ask(path: string, body?: unknown): Promise<void> {
    const reply = await request(`${url}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      dispatcher,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${text}`);
  }

  /** Sends so many requests, some at the same time. */
  async function together(count: number, send: () => Promise<void>): Promise<void> {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await send();
    };
    await Promise.all(Array.from({ length: sideBySide }, worker));
  }

  const batch = Array.from({ length: 100 }, () => email);
  return {
    ask,
    close: () => dispatcher.close(),
    load: async (counts: Load) => ({
      send: await timed(() => together(counts.send, () => ask('/api/v1/emails', email))),
      'batch of 100': await timed(() =>
        together(counts['batch of 100'], () => ask('/api/v1/emails/batch', batch)),
      ),
      'list of 50': await timed(() => together(counts['list of 50'], () => ask('/api/v1/emails'))),
    }),
  };
}

/** A handler of webhooks that responds at once. */
async function startHandler() {
  let calls = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.resume().once('end', () => {
      calls += 1;
      outgoing.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    calls: () => calls,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** How long `startSandbox()` and an empty process take, in milliseconds. */
async function start(): Promise<readonly [sandbox: number, node: number]> {
  const { startSandbox }: typeof import('../src/testing/index.ts') = await import(testing);
  const node = await timed(async () => {
    spawnSync(process.execPath, ['-e', '0']);
  });
  const before = performance.now();
  const sandbox = await startSandbox();
  const taken = performance.now() - before;
  await sandbox.stop();
  return [taken, node];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
