import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiKey } from './lib/api-key.ts';
import type { Bench, Figure } from './lib/bench.ts';
import type { Command, Sample } from './lib/measure.ts';
import { startPageServer } from './lib/page-server.ts';

const loop = fileURLToPath(new URL('lib/find-loop.ts', import.meta.url));

/** Emails to look through, and to export. */
const sizes = (quick: boolean) =>
  quick
    ? { find: [200, 100], export: [100, 50] }
    : { find: [200_000, 20_000], export: [20_000, 2000] };

export const bench: Bench = {
  summary: (quick) => {
    const [found = 0] = sizes(quick).find;
    const [exported = 0] = sizes(quick).export;
    return `a search through ${found.toLocaleString('en')} emails, and an export of ${exported.toLocaleString('en')}, beside a plain loop`;
  },
  async run({ quick, samples }) {
    // A quick run has too few rows for a goal.
    const goal = (ratio: number) => (quick ? {} : { atMost: ratio });
    const server = await startPageServer();
    const directory = mkdtempSync(join(tmpdir(), 'mailer-bench-'));
    const commands: Record<string, Command> = {};
    const kinds = { find: 'email list --subject', export: 'email export' } as const;
    for (const kind of ['find', 'export'] as const) {
      for (const rows of sizes(quick)[kind]) {
        const baseUrl = server.baseUrl(rows);
        const output = join(directory, `${kind}-${rows}.jsonl`);
        const env = { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: apiKey };
        const ours =
          kind === 'find'
            ? ['email', 'list', '--all', '--subject', '99 has been', '--jsonl']
            : ['email', 'export', '--output', output, '--yes'];
        const plain = kind === 'find' ? ['99 has been'] : ['', output];
        commands[`${kind} ${rows}`] = { words: ours, env };
        commands[`${kind} loop ${rows}`] = { file: loop, words: [baseUrl, ...plain] };
      }
    }
    const taken = await samples(commands);
    server.close();
    rmSync(directory, { recursive: true });
    const of = (name: string, which: keyof Sample) =>
      (taken.get(name) ?? []).map((sample) => sample[which]);
    return (['find', 'export'] as const).flatMap((kind): Figure[] => {
      const [many = 0, few = 0] = sizes(quick)[kind];
      return [
        {
          what: `${kinds[kind]}, all`,
          measured: of(`${kind} ${many}`, 'wall'),
          unit: 'ms',
          amount: many,
          baselines: [
            { name: 'plain loop', measured: of(`${kind} loop ${many}`, 'wall'), ...goal(2) },
          ],
        },
        {
          what: `${kinds[kind]}, peak memory`,
          measured: of(`${kind} ${many}`, 'memory'),
          unit: 'KiB',
          baselines: [
            {
              name: `${few.toLocaleString('en')} emails`,
              measured: of(`${kind} ${few}`, 'memory'),
              ...goal(1.5),
            },
            { name: 'plain loop', measured: of(`${kind} loop ${many}`, 'memory') },
          ],
        },
      ];
    });
  },
};
