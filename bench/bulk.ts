import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Bench } from './lib/bench.ts';
import { bulkRun, concurrency } from './lib/bulk-run.ts';
import { type CountServer, perRequest, startCountServer, type Taken } from './lib/count-server.ts';
import { temporaryDirectory } from './lib/directories.ts';
import { letterWriter } from './lib/letter.ts';
import type { Command } from './lib/measure.ts';
import { writePeople } from './lib/people-file.ts';

const file = (name: string) => fileURLToPath(new URL(`lib/${name}`, import.meta.url));
/** The loop of single requests is slow: it sends only this fraction of the rows. */
const partForSingles = 10;

const rowsOf = (quick: boolean) => (quick ? 1000 : 200_000);

export const bench: Bench = {
  summary: (quick) =>
    `email batch, ${rowsOf(quick).toLocaleString('en')} rows of CSV with a template, beside loops without a journal`,
  async run({ quick, samples }) {
    const rows = rowsOf(quick);
    const goal = (ratio: number) => (quick ? {} : { atMost: ratio });
    const directory = temporaryDirectory();
    const path = (name: string) => join(directory, name);
    writePeople(path('people.csv'), rows);
    writePeople(path('few.csv'), rows / partForSingles);
    const body = writeBodies(path('people.csv'), path('bodies'));
    const server = await startCountServer();
    const counted = (name: string, expected: Expected, command: Command): Command => ({
      ...command,
      after: () => compare(name, server, expected),
    });
    const batches = { requests: rows / perRequest, bytes: body };
    const state = path('state');
    try {
      const taken = await samples({
        mailer: counted('mailer', batches, {
          ...bulkRun(path('people.csv'), `${server.baseUrl('mailer')}/api`, state),
          before: () => rmSync(state, { recursive: true, force: true }),
        }),
        batch: counted('batch', batches, {
          file: file('batch-loop.ts'),
          words: [path('people.csv'), server.baseUrl('batch'), concurrency],
        }),
        prebuilt: counted('prebuilt', batches, {
          file: file('prebuilt.ts'),
          words: [path('bodies'), `${server.baseUrl('prebuilt')}/api`, concurrency],
        }),
        send: {
          file: file('send-loop.ts'),
          words: [path('few.csv'), server.baseUrl('send')],
        },
      });
      const times = (name: string) => (taken.get(name) ?? []).map(({ wall }) => wall);
      return [
        {
          what: 'all rows',
          measured: times('mailer'),
          unit: 'ms',
          amount: rows,
          baselines: [
            { name: 'loop of emails.batch', measured: times('batch'), ...goal(1) },
            {
              name: `1/${partForSingles} by emails.send, x ${partForSingles}`,
              measured: times('send').map((time) => time * partForSingles),
              ...goal(1 / 20),
            },
            { name: 'undici, ready bodies', measured: times('prebuilt'), ...goal(1 / 0.1) },
          ],
        },
      ];
    } finally {
      server.close();
      rmSync(directory, { recursive: true });
    }
  },
};

/** Writes the request bodies of all rows, one per line, and returns their total size in bytes. */
function writeBodies(people: string, path: string): number {
  const letter = letterWriter();
  // The header names the columns.
  const rows = parse(readFileSync(people), { columns: true }) as Record<string, string>[];
  const output = openSync(path, 'w');
  let bytes = 0;
  for (let start = 0; start < rows.length; start += perRequest) {
    const body = JSON.stringify(rows.slice(start, start + perRequest).map(letter));
    bytes += Buffer.byteLength(body);
    writeSync(output, `${body}\n`);
  }
  closeSync(output);
  return bytes;
}

type Expected = Pick<Taken, 'requests' | 'bytes'>;

/** Throws if something did not arrive: leaving out requests must not count as fast. */
function compare(name: string, server: CountServer, expected: Expected): void {
  const { requests, bytes } = server.taken(name);
  if (requests === expected.requests && bytes === expected.bytes) return;
  throw new Error(
    `${name}: ${requests} requests of ${bytes} bytes arrived instead of ${expected.requests} of ${expected.bytes}`,
  );
}
