import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './lib/bench.ts';
import { bulkRun, concurrency } from './lib/bulk-run.ts';
import { startCountServer } from './lib/count-server.ts';
import { temporaryDirectory } from './lib/directories.ts';
import type { Command } from './lib/measure.ts';
import { writePeople } from './lib/people-file.ts';

const loop = fileURLToPath(new URL('lib/batch-loop.ts', import.meta.url));
/** The budget of a run in KiB, whatever the number of rows. */
const most = 256 * 1024;

export const bench: Bench = {
  summary: () =>
    'email batch, peak memory with many rows and with few, beside a loop without a journal',
  async run({ quick, samples }) {
    const [many, few] = quick ? [1000, 500] : [1_000_000, 10_000];
    const directory = temporaryDirectory();
    const server = await startCountServer();
    const state = join(directory, 'state');
    const people = (rows: number) => join(directory, `${rows}.csv`);
    const mailerFor = (rows: number): Command => ({
      ...bulkRun(people(rows), `${server.baseUrl('mailer')}/api`, state),
      before: () => rmSync(state, { recursive: true, force: true }),
    });
    const loopFor = (rows: number): Command => ({
      file: loop,
      words: [people(rows), server.baseUrl('loop'), concurrency],
    });
    try {
      for (const rows of [many, few]) writePeople(people(rows), rows);
      const taken = await samples({
        many: mailerFor(many),
        few: mailerFor(few),
        loopMany: loopFor(many),
        loopFew: loopFor(few),
      });
      const of = (name: string) => (taken.get(name) ?? []).map(({ memory }) => memory);
      const goal = (atMost: number) => (quick ? {} : { atMost });
      const inWords = (rows: number) => `${rows.toLocaleString('en')} rows`;
      return [
        {
          what: inWords(many),
          measured: of('many'),
          unit: 'KiB',
          baselines: [
            { name: inWords(few), measured: of('few'), ...goal(1.5) },
            { name: 'budget', measured: [most], ...goal(1) },
            { name: 'loop of emails.batch', measured: of('loopMany'), ...goal(1) },
          ],
        },
        // V8 lets it grow, too.
        {
          what: `loop, ${inWords(many)}`,
          measured: of('loopMany'),
          unit: 'KiB',
          baselines: [{ name: inWords(few), measured: of('loopFew') }],
        },
      ];
    } finally {
      server.close();
      rmSync(directory, { recursive: true });
    }
  },
};
