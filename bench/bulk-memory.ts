import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './lib/bench.ts';
import { bulkRun } from './lib/bulk-run.ts';
import { startCountServer } from './lib/count-server.ts';
import { temporaryDirectory } from './lib/directories.ts';
import type { Command } from './lib/measure.ts';
import { writePeople } from './lib/people-file.ts';

/** The budget of a run in KiB, whatever the number of rows. */
const most = 256 * 1024;

export const bench: Bench = {
  summary: () => 'email batch, peak memory with many rows and with few',
  async run({ quick, samples }) {
    const [many, few] = quick ? [1000, 500] : [1_000_000, 10_000];
    const directory = temporaryDirectory();
    const server = await startCountServer();
    const state = join(directory, 'state');
    const commandFor = (rows: number): Command => {
      const people = join(directory, `${rows}.csv`);
      writePeople(people, rows);
      return {
        ...bulkRun(people, `${server.baseUrl('mailer')}/api`, state),
        before: () => rmSync(state, { recursive: true, force: true }),
      };
    };
    try {
      const taken = await samples({ many: commandFor(many), few: commandFor(few) });
      const of = (name: string) => (taken.get(name) ?? []).map(({ memory }) => memory);
      const goal = (atMost: number) => (quick ? {} : { atMost });
      const fewRows = `${few.toLocaleString('en')} rows`;
      return [
        {
          what: `${many.toLocaleString('en')} rows`,
          measured: of('many'),
          unit: 'KiB',
          baselines: [
            { name: fewRows, measured: of('few'), ...goal(1.5) },
            { name: 'budget', measured: [most], ...goal(1) },
          ],
        },
      ];
    } finally {
      server.close();
      rmSync(directory, { recursive: true });
    }
  },
};
