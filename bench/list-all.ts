import { fileURLToPath } from 'node:url';
import { apiKey } from './lib/api-key.ts';
import type { Bench, Figure } from './lib/bench.ts';
import type { Command, Sample } from './lib/measure.ts';
import { startPageServer } from './lib/page-server.ts';

const formats = {
  TSV: [],
  '--jsonl': ['--jsonl'],
  '--json': ['--json'],
  '--csv': ['--csv'],
  '--quiet': ['--quiet'],
} as const;

const loop = fileURLToPath(new URL('lib/page-loop.ts', import.meta.url));

const countsOf = (quick: boolean) => (quick ? ([200, 100] as const) : ([100_000, 1000] as const));

export const bench: Bench = {
  summary: (quick) =>
    `email list --all, ${countsOf(quick)[0].toLocaleString('en')} emails, beside a plain loop over the pages`,
  async run({ quick, samples }) {
    const [many, few] = countsOf(quick);
    // A quick run has too few rows for a goal.
    const goal = (ratio: number) => (quick ? {} : { atMost: ratio });
    const server = await startPageServer();
    const commands: Record<string, Command> = {
      [`loop ${many}`]: { file: loop, words: [server.baseUrl(many)] },
      [`loop ${few}`]: { file: loop, words: [server.baseUrl(few)] },
    };
    for (const [format, flags] of Object.entries(formats)) {
      for (const rows of [many, few]) {
        commands[`${format} ${rows}`] = {
          words: ['email', 'list', '--all', ...flags],
          env: { MAILER_BASE_URL: server.baseUrl(rows), MAILER_API_KEY: apiKey },
        };
      }
    }
    const taken = await samples(commands);
    server.close();
    const of = (name: string, rows: number, which: keyof Sample) =>
      (taken.get(`${name} ${rows}`) ?? []).map((sample) => sample[which]);
    const fewRows = (name: string) => ({
      name: `${few.toLocaleString('en')} rows`,
      measured: of(name, few, 'memory'),
    });
    const figuresOf = (name: string): Figure[] => [
      {
        what: `${name}, all rows`,
        measured: of(name, many, 'wall'),
        unit: 'ms',
        amount: many,
        baselines: [{ name: 'plain loop', measured: of('loop', many, 'wall'), ...goal(2) }],
      },
      {
        what: `${name}, first row`,
        measured: of(name, many, 'first'),
        unit: 'ms',
        baselines: [{ name: 'all rows', measured: of(name, many, 'wall'), ...goal(0.2) }],
      },
      {
        what: `${name}, peak memory`,
        measured: of(name, many, 'memory'),
        unit: 'KiB',
        baselines: [
          { ...fewRows(name), ...goal(1.5) },
          { name: 'plain loop', measured: of('loop', many, 'memory'), ...goal(1.1) },
        ],
      },
    ];
    return [
      ...Object.keys(formats).flatMap(figuresOf),
      {
        what: 'plain loop, peak memory',
        measured: of('loop', many, 'memory'),
        unit: 'KiB',
        baselines: [fewRows('loop')],
      },
    ];
  },
};
