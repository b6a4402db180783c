import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiKey } from './lib/api-key.ts';
import type { Bench } from './lib/bench.ts';
import { bookId, startContactServer } from './lib/contact-server.ts';
import { temporaryDirectory } from './lib/directories.ts';
import type { Command } from './lib/measure.ts';
import { writePeople } from './lib/people-file.ts';

const loop = fileURLToPath(new URL('lib/contact-loop.ts', import.meta.url));

const rowsOf = (quick: boolean) => (quick ? 2000 : 100_000);

export const bench: Bench = {
  summary: (quick) =>
    `contact import, ${rowsOf(quick).toLocaleString('en')} new contacts, read back, beside a loop of bulk requests`,
  async run({ quick, samples }) {
    const rows = rowsOf(quick);
    const few = rows / 10;
    const many = rows * 10;
    const directory = temporaryDirectory();
    const server = await startContactServer();
    const people = (count: number) => {
      const path = join(directory, `${count}.csv`);
      writePeople(path, count);
      // The columns of a file of contacts.
      writeFileSync(path, readFileSync(path, 'utf8').replace('to,name', 'email,first name'));
      return path;
    };
    const importOf = (count: number): Command => ({
      words: ['contact', 'import', people(count), '--book', bookId, '--yes', '--quiet'],
      env: {
        MAILER_BASE_URL: `${server.baseUrl}/api`,
        MAILER_API_KEY: apiKey,
      },
      after: () => arrived(server.emptied(), count),
    });
    try {
      const path = join(directory, 'people.csv');
      writePeople(path, rows);
      const taken = await samples({
        mailer: { ...importOf(rows), after: () => arrived(server.contacts(), rows) },
        again: importOf(rows),
        few: importOf(few),
        many: importOf(many),
        loop: {
          file: loop,
          words: [path, server.baseUrl],
          after: () => arrived(server.emptied(), rows),
        },
        reading: {
          file: loop,
          words: [path, server.baseUrl, 'read'],
          after: () => arrived(server.emptied(), rows),
        },
      });
      const of = (name: string) => taken.get(name) ?? [];
      const memoryOf = (name: string) => of(name).map(({ memory }) => memory);
      const goal = (atMost: number) => (quick ? {} : { atMost });
      const inWords = (count: number) => `${count.toLocaleString('en')} rows`;
      return [
        {
          what: 'all rows',
          measured: of('mailer').map(({ wall }) => wall),
          unit: 'ms',
          amount: rows,
          baselines: [
            {
              name: 'loop of contacts.bulkCreate',
              measured: of('loop').map(({ wall }) => wall),
              ...goal(2),
            },
            {
              name: 'and reading them back',
              measured: of('reading').map(({ wall }) => wall),
              ...goal(2),
            },
          ],
        },
        {
          what: 'again, nothing to send',
          measured: of('again').map(({ wall }) => wall),
          unit: 'ms',
          amount: rows,
          baselines: [
            { name: 'all rows', measured: of('mailer').map(({ wall }) => wall), ...goal(1) },
          ],
        },
        {
          what: 'peak memory',
          measured: memoryOf('mailer'),
          unit: 'KiB',
          baselines: [
            { name: inWords(few), measured: memoryOf('few'), ...goal(1.5) },
            { name: 'loop of contacts.bulkCreate', measured: memoryOf('loop') },
          ],
        },
        {
          what: `peak memory, ${inWords(many)}`,
          measured: memoryOf('many'),
          unit: 'KiB',
          baselines: [{ name: inWords(rows), measured: memoryOf('mailer'), ...goal(1.5) }],
        },
      ];
    } finally {
      server.close();
      rmSync(directory, { recursive: true });
    }
  },
};

/** Throws if something did not arrive: leaving out contacts must not count as fast. */
function arrived(contacts: number, expected: number): void {
  if (contacts !== expected) {
    throw new Error(`${contacts} contacts arrived instead of ${expected}`);
  }
}
