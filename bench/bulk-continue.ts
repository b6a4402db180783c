import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './lib/bench.ts';
import { bulkRun } from './lib/bulk-run.ts';
import { perRequest, startCountServer } from './lib/count-server.ts';
import { temporaryDirectory } from './lib/directories.ts';
import { measureUntil } from './lib/measure.ts';
import { writePeople } from './lib/people-file.ts';

/** The longest time in milliseconds until a resumed run sends. */
const most = 2000;

const rowsOf = (quick: boolean) => (quick ? 1000 : 1_000_000);

export const bench: Bench = {
  summary: (quick) =>
    `email batch, ${rowsOf(quick).toLocaleString('en')} rows, killed half-way: time from resuming to the first request`,
  async run({ quick, runs }) {
    const rows = rowsOf(quick);
    const directory = temporaryDirectory();
    const [people, half, state] = ['people.csv', 'half', 'state'].map((name) =>
      join(directory, name),
    ) as [string, string, string];
    writePeople(people, rows);
    const server = await startCountServer();
    const baseUrl = `${server.baseUrl('mailer')}/api`;
    try {
      const begun = bulkRun(people, baseUrl, half);
      await measureUntil(begun, server.arrivals(rows / perRequest / 2));
      const measured: number[] = [];
      for (let run = 0; run < runs; run++) {
        const before = () => {
          rmSync(state, { recursive: true, force: true });
          cpSync(half, state, { recursive: true });
        };
        const command = { ...bulkRun(people, baseUrl, state), before };
        measured.push(await measureUntil(command, server.arrivals(1)));
      }
      const limit = { name: 'budget', measured: [most], ...(quick ? {} : { atMost: 1 }) };
      return [{ what: 'first request', measured, unit: 'ms', baselines: [limit] }];
    } finally {
      server.close();
      rmSync(directory, { recursive: true });
    }
  },
};
