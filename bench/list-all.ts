import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './lib/bench.ts';
import type { Command, Sample } from './lib/measure.ts';
import { startPageServer } from './lib/page-server.ts';

const formats = {
  'lines of TSV': [],
  '--jsonl': ['--jsonl'],
  '--json': ['--json'],
  '--csv': ['--csv'],
  '--quiet': ['--quiet'],
} as const;

const loop = fileURLToPath(new URL('lib/page-loop.ts', import.meta.url));

export const bench: Bench = {
  summary: 'email list --all: speed, memory, and time to the first row, of many rows and of few',
  async run({ quick, samples }) {
    const [many, few] = quick ? [200, 100] : [100_000, 1000];
    // So few rows say nothing about a goal.
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
          env: { MAILER_BASE_URL: server.baseUrl(rows), MAILER_API_KEY: 'us_key_1234567890' },
        };
      }
    }
    const taken = await samples(commands);
    server.close();
    const of = (name: string, rows: number, which: keyof Sample) =>
      (taken.get(`${name} ${rows}`) ?? []).map((sample) => sample[which]);
    const names = Object.keys(formats);
    const total = many.toLocaleString('en');
    return [
      ...names.map(
        (name): Figure => ({
          what: `${total} rows, ${name}: time`,
          measured: of(name, many, 'wall'),
          unit: 'ms',
          baseline: { name: 'plain loop', measured: of('loop', many, 'wall') },
          ...goal(2),
        }),
      ),
      ...names.map(
        (name): Figure => ({
          what: `${total} rows, ${name}: first row`,
          measured: of(name, many, 'first'),
          unit: 'ms',
          baseline: { name: 'all rows', measured: of(name, many, 'wall') },
          ...goal(0.2),
        }),
      ),
      ...[...names, 'loop'].map(
        (name): Figure => ({
          what: `${total} rows, ${name}: peak memory`,
          measured: of(name, many, 'memory'),
          unit: 'KiB',
          baseline: {
            name: `${few.toLocaleString('en')} rows`,
            measured: of(name, few, 'memory'),
          },
          ...(name === 'loop' ? {} : goal(1.5)),
        }),
      ),
      ...names.map(
        (name): Figure => ({
          what: `${total} rows, ${name}: peak memory`,
          measured: of(name, many, 'memory'),
          unit: 'KiB',
          baseline: { name: 'plain loop', measured: of('loop', many, 'memory') },
          ...goal(1.1),
        }),
      ),
    ];
  },
};
