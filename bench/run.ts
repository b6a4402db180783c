// npm run bench [-- NAME… --runs N --quick --write]: measures the built program and prints one table.
// Every number is shown beside a baseline from the same run, because numbers from different machines or
// days are not comparable. --write also writes the table to docs/performance.md.
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench, Samples, Section } from './lib/bench.ts';
import { type Command, measure, type Sample } from './lib/measure.ts';
import { writePage } from './lib/page.ts';
import { missedGoals, report } from './lib/report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const { quick } = values;
const runs = quick ? 1 : Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number, 1 or more');
if (quick && values.write) throw new Error('what a quick run finds is not worth writing down');

const here = fileURLToPath(new URL('.', import.meta.url));
const all = globSync('*.ts', { cwd: here })
  .map((path) => basename(path, '.ts'))
  .filter((name) => name !== 'run')
  // Backwards, because the ones that take minutes happen to come first in the alphabet.
  .sort()
  .reverse();
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`no bench ${unknown.join(', ')}; there are: ${all}`);

const sections: Section[] = [];
for (const name of positionals.length > 0 ? positionals : all) {
  // Every bench exports one.
  const { bench } = (await import(`./${name}.ts`)) as { readonly bench: Bench };
  const summary = bench.summary(quick);
  process.stderr.write(`${name}: ${summary}\n`);
  sections.push({ name, summary, figures: await bench.run({ quick, runs, samples }) });
}
process.stdout.write(report(sections));
if (values.write) {
  writePage(
    fileURLToPath(new URL('../docs/performance.md', import.meta.url)),
    sections,
    new Date(),
  );
}
const missed = missedGoals(sections);
if (missed.length > 0) {
  process.stderr.write(`Missed goals:\n${missed.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = 1;
}

async function samples(commands: Readonly<Record<string, Command>>): Promise<Samples> {
  const taken = new Map<string, Sample[]>();
  // In turn, so that other load on the machine affects all of them; the first round compiles.
  for (let round = quick ? 1 : 0; round <= runs; round++) {
    for (const [name, command] of Object.entries(commands)) {
      process.stderr.write(round === 0 ? `  warm-up: ${name}\n` : `  ${round}/${runs}: ${name}\n`);
      const sample = await measure(command);
      if (round > 0) taken.set(name, [...(taken.get(name) ?? []), sample]);
    }
  }
  return taken;
}
