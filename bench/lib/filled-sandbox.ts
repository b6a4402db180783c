import { rmSync } from 'node:fs';
import { Agent, request } from 'undici';
import { temporaryDirectory } from './directories.ts';
import { letterWriter } from './letter.ts';
import { startServer } from './measure.ts';

/** A served sandbox with messages. */
export interface FilledSandbox {
  /** The id of a message in the middle of all. */
  readonly id: string;
  /** How long the sandbox took to store each batch of 100 messages, in milliseconds. */
  readonly batches: readonly number[];
  /** How long a page or a response of the API takes until its last byte, in milliseconds. */
  time(path: string): Promise<number>;
  /** Stops it. Resolves to its peak memory in KiB. */
  stop(): Promise<number>;
}

const perBatch = 100;

/** Starts the built program with new data, and sends it this many different letters. */
export async function startFilledSandbox(messages: number): Promise<FilledSandbox> {
  const directory = temporaryDirectory();
  const server = await startServer({
    words: ['sandbox', 'start', '--port', '0', '--json'],
    env: { MAILER_SANDBOX_DIR: directory },
  });
  // The line that the program prints when it is ready, which its tests check.
  const { url, apiKey } = JSON.parse(server.line) as { readonly url: string; apiKey: string };
  const dispatcher = new Agent();
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

  async function ask(path: string, body?: unknown): Promise<string> {
    const post = { method: 'POST', body: JSON.stringify(body) } as const;
    const reply = await request(`${url}${path}`, {
      headers,
      dispatcher,
      ...(body === undefined ? {} : post),
    });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${text}`);
    return text;
  }

  async function time(path: string, body?: unknown): Promise<number> {
    const started = performance.now();
    await ask(path, body);
    return performance.now() - started;
  }

  const write = letterWriter();
  const batches: number[] = [];
  for (let start = 0; start < messages; start += perBatch) {
    const letters = Array.from({ length: perBatch }, (_, index) => letter(start + index, write));
    batches.push(await time('/api/v1/emails/batch', letters));
  }
  await ask('/control/advance', { by: '1h' });
  const middle = Math.ceil(messages / perBatch / 2);
  // The service's reply, whose shape its tests check.
  const page = JSON.parse(await ask(`/api/v1/emails?limit=1&page=${middle * perBatch}`)) as {
    readonly data: readonly { readonly id: string }[];
  };
  return {
    id: page.data[0]?.id ?? '',
    batches,
    time,
    async stop() {
      await dispatcher.close();
      const memory = await server.stop();
      rmSync(directory, { recursive: true });
      return memory;
    },
  };
}

function letter(index: number, write: ReturnType<typeof letterWriter>) {
  return write({
    to: `person${index}@example.org`,
    name: `Kim Example ${index}`,
    plan: index % 3 === 0 ? 'team' : 'free',
    city: 'Bergen',
    renewal: '2026-03-01',
    points: String(index),
  });
}
