// npm run bench [-- NAME… --runs N --quick]: measures the built program and prints one table.
// Every number is shown beside one of the same run that it is to be compared with, since numbers
// of two machines, or of two days, do not compare.
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench, Figure, Samples } from './lib/bench.ts';
import { type Command, measure, type Sample } from './lib/measure.ts';
import { missedGoals, report } from './lib/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false },
  },
});
const runs = values.quick ? 1 : Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number, 1 or more');

const here = fileURLToPath(new URL('.', import.meta.url));
const all = globSync('*.ts', { cwd: here })
  .map((path) => basename(path, '.ts'))
  .filter((name) => name !== 'run')
  .sort();
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`no bench ${unknown.join(', ')}; there are: ${all}`);

const figures: Figure[] = [];
for (const name of positionals.length > 0 ? positionals : all) {
  // A bench exports one, as its type says.
  const { bench } = (await import(`./${name}.ts`)) as { readonly bench: Bench };
  process.stderr.write(`${name}: ${bench.summary}\n`);
  figures.push(...(await bench.run({ quick: values.quick, runs, samples })));
}
process.stdout.write(report(figures));
const missed = missedGoals(figures);
if (missed.length > 0) {
  process.stderr.write(`Missed goals:\n${missed.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = 1;
}

async function samples(commands: Readonly<Record<string, Command>>): Promise<Samples> {
  const taken = new Map<string, Sample[]>();
  // In turn, so that what else the machine does is spread over all; the first round compiles.
  for (let round = values.quick ? 1 : 0; round <= runs; round++) {
    for (const [name, command] of Object.entries(commands)) {
      process.stderr.write(round === 0 ? `  warm-up: ${name}\n` : `  ${round}/${runs}: ${name}\n`);
      const sample = await measure(command);
      if (round > 0) taken.set(name, [...(taken.get(name) ?? []), sample]);
    }
  }
  return taken;
}
