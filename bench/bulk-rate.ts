import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './lib/bench.ts';
import { bulkRun } from './lib/bulk-run.ts';
import { perRequest, startCountServer, type Taken } from './lib/count-server.ts';
import { temporaryDirectory } from './lib/directories.ts';
import { writePeople } from './lib/people-file.ts';

const perSecond = 50;

export const bench: Bench = {
  summary: () =>
    `email batch, ${perSecond} requests a second: how much of the limit it uses, and 429 responses`,
  async run({ quick, samples }) {
    const seconds = quick ? 2 : 30;
    const requests = seconds * perSecond;
    // One request asks the service for its time.
    const batches = requests - 1;
    const directory = temporaryDirectory();
    const people = join(directory, 'people.csv');
    const state = join(directory, 'state');
    writePeople(people, batches * perRequest);
    const server = await startCountServer({ perSecond });
    const counts: Taken[] = [];
    try {
      await samples({
        mailer: {
          ...bulkRun(people, `${server.baseUrl('mailer')}/api`, state),
          before: () => rmSync(state, { recursive: true, force: true }),
          after: () => {
            const taken = server.taken('mailer');
            if (taken.requests !== batches) throw new Error(`${taken.requests} were accepted`);
            counts.push(taken);
          },
        },
      });
      const goal = (atMost: number) => (quick ? {} : { atMost });
      // The first second's requests leave at once, so the last ones can leave after all windows but one.
      const shortest = (seconds - 1) * 1000;
      const all = `${requests.toLocaleString('en')} requests`;
      return [
        {
          what: all,
          measured: counts.map(({ during }) => during),
          unit: 'ms',
          baselines: [{ name: 'shortest possible', measured: [shortest], ...goal(1 / 0.97) }],
        },
        {
          what: '429 responses',
          measured: counts.map(({ refused }) => refused),
          unit: 'requests',
          baselines: [{ name: all, measured: [requests], ...goal(0.01) }],
        },
      ];
    } finally {
      server.close();
      rmSync(directory, { recursive: true });
    }
  },
};
