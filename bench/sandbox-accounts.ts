import { rmSync } from 'node:fs';
import { Agent, request } from 'undici';
import type { Bench } from './lib/bench.ts';
import { temporaryDirectory } from './lib/directories.ts';
import { startServer } from './lib/measure.ts';

const workers = 40;

interface Shared {
  /** Peak memory of the sandbox in KiB. */
  readonly memory: number;
  /** All requests, in milliseconds. */
  readonly wall: number;
}

export const bench: Bench = {
  summary: () =>
    `sandbox start, ${workers} workers that send and read, each with an account, and all with one`,
  async run({ quick, runs }) {
    const rounds = quick ? 2 : 25;
    const taken = { each: [] as Shared[], one: [] as Shared[] };
    // In turn, so that other load on the machine affects both.
    for (let run = 1; run <= runs; run++) {
      process.stderr.write(`  ${run}/${runs}\n`);
      taken.each.push(await work(rounds, (worker) => `us_sandbox_test_${worker}`));
      taken.one.push(await work(rounds, () => 'us_sandbox_local'));
    }
    const goal = quick ? {} : { atMost: 2 };
    const sends = (workers * rounds).toLocaleString('en');
    return [
      {
        what: 'peak memory',
        measured: taken.each.map(({ memory }) => memory),
        unit: 'KiB',
        baselines: [
          { name: 'one account', measured: taken.one.map(({ memory }) => memory), ...goal },
        ],
      },
      {
        what: `${sends} sends, ${sends} reads`,
        measured: taken.each.map(({ wall }) => wall),
        unit: 'ms',
        baselines: [{ name: 'one account', measured: taken.one.map(({ wall }) => wall), ...goal }],
      },
    ];
  },
};

/** Has each worker send and read emails with its key, one after the other, beside the others. */
async function work(rounds: number, keyOf: (worker: number) => string): Promise<Shared> {
  const directory = temporaryDirectory();
  const server = await startServer({
    words: ['sandbox', 'start', '--port', '0', '--json'],
    env: { MAILER_SANDBOX_DIR: directory },
  });
  // The line that the program prints when it is ready, which its tests check.
  const { baseUrl } = JSON.parse(server.line) as { readonly baseUrl: string };
  const dispatcher = new Agent();

  async function ask(key: string, path: string, body?: object): Promise<{ emailId: string }> {
    const reply = await request(`${baseUrl}/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      dispatcher,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${text}`);
    // Of a send; the response to a read is not used.
    return JSON.parse(text) as { emailId: string };
  }

  async function sendAndRead(worker: number): Promise<void> {
    const key = keyOf(worker);
    for (let round = 0; round < rounds; round++) {
      const { emailId } = await ask(key, '/emails', {
        from: 'shop@example.com',
        to: 'ana@example.org',
        subject: `Order ${worker} ${round}`,
        html: '<p>Thank you for your order.</p>'.repeat(50),
      });
      await ask(key, `/emails/${emailId}`);
    }
  }

  const started = performance.now();
  await Promise.all(Array.from({ length: workers }, (_, worker) => sendAndRead(worker)));
  const wall = performance.now() - started;
  await dispatcher.close();
  const memory = await server.stop();
  rmSync(directory, { recursive: true });
  return { memory, wall };
}
