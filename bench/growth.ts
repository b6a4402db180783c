import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKey } from './lib/api-key.ts';
import type { Bench, Figure, Tools } from './lib/bench.ts';
import { temporaryDirectory } from './lib/directories.ts';
import { startFailingService } from './lib/failing-service.ts';
import { works } from './lib/growing-work.ts';
import { hostileReaders, textOf } from './lib/hostile-families.ts';
import type { Command } from './lib/measure.ts';

/** How much more input there is for each figure than for its baseline. */
const times = 4;
/** Halfway between linear and quadratic, on a logarithmic scale. */
const atMost = times ** 1.5;

const quarter = 'a quarter of the input';

export const bench: Bench = {
  summary: () => `the time for an input, beside that for ${quarter}`,
  run: async (tools) => [
    ...(await functions(tools)),
    ...(await hostile(tools)),
    ...(await commands(tools)),
  ],
};

/** Functions of the program, in this process: their processor time. */
async function functions({ quick, runs }: Tools): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, { size, prepare }] of Object.entries(works)) {
    const small = quick ? size / 10 : size;
    process.stderr.write(`  ${what}\n`);
    const few = await prepare(small);
    const many = await prepare(small * times);
    const taken = { few: [] as number[], many: [] as number[] };
    // The first rounds load and compile.
    for (let round = quick ? 1 : -1; round <= runs; round++) {
      const [less, more] = [computing(few), computing(many)];
      if (round < 1) continue;
      taken.few.push(less);
      taken.many.push(more);
    }
    figures.push(figure(what, taken.many, taken.few, quick));
  }
  return figures;
}

/** Readers with texts meant to take them long: of each reader, the text whose time grows most. */
async function hostile({ quick }: Tools): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [reader, { size, read, families }] of Object.entries(hostileReaders)) {
    process.stderr.write(`  ${reader}\n`);
    const small = quick ? size / 100 : size;
    let worst = { name: '', few: 1, many: 0 };
    for (const family of families) {
      const time = async (characters: number) => {
        const text = textOf(family, characters);
        const before = process.cpuUsage();
        // What it cannot read is an error, which must not take long either.
        await Promise.resolve(text)
          .then(read)
          .catch(() => undefined);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      await time(small / 10);
      // Below ten milliseconds, a time says nothing about growth.
      const few = Math.max(10, await time(small));
      const many = await time(small * times);
      if (many / few > worst.many / worst.few) worst = { name: JSON.stringify(family), few, many };
    }
    const what = `${reader}, the slowest of ${families.length}: ${worst.name}`;
    figures.push(figure(what, [worst.many], [worst.few], quick));
  }
  return figures;
}

/** Processor time in milliseconds. */
function computing(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Bulk runs, as whole processes: their time from start to end. */
async function commands({ quick, samples }: Tools): Promise<Figure[]> {
  const service = await startFailingService();
  const directory = temporaryDirectory();
  const sizes = { few: 1, many: times };
  const file = (name: string, content: string) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  const batch = (path: string, ...flags: readonly string[]): Command => ({
    words: ['email', 'batch', path, '--from', 'a@b.example', '--text', 'T', ...flags],
    env: { MAILER_BASE_URL: `${service.url}/api`, MAILER_API_KEY: apiKey },
  });
  const wide = (columns: number) => {
    const names = Array.from({ length: columns }, (_, index) => `column ${index}`).join();
    const path = file(`${columns}.csv`, `to,name,${names}\nana@example.org,Ana,${names}\n`);
    return batch(path, '--subject', 'S', '--dry-run');
  };
  const failing = (pairs: number): Command => {
    const rows = Array.from({ length: pairs }, (_, index) => [
      { to: `bad${index}@example.org`, templateId: 'gone', inReplyToId: 'em_before' },
      { to: `good${index}@example.org`, subject: 'S', inReplyToId: 'em_before' },
    ]);
    const text = rows.flat().map((row) => JSON.stringify(row));
    const path = file(`${pairs}.jsonl`, text.join('\n'));
    return { ...batch(path, '--yes', '--retries', '0'), exitCode: 11 };
  };
  const all = {
    'email batch, columns of a CSV file': (size: number) => wide(size * (quick ? 200 : 16_000)),
    'email batch, failing requests': (size: number) => failing(size * (quick ? 10 : 1000)),
  };
  const named = Object.entries(all).flatMap(([what, of]) =>
    Object.entries(sizes).map(([name, size]) => [`${what}: ${name}`, of(size)]),
  );
  try {
    const taken = await samples(Object.fromEntries(named));
    const walls = (name: string) => (taken.get(name) ?? []).map(({ wall }) => wall);
    return Object.keys(all).map((what) =>
      figure(what, walls(`${what}: many`), walls(`${what}: few`), quick),
    );
  } finally {
    service.close();
  }
}

function figure(
  what: string,
  measured: readonly number[],
  few: readonly number[],
  quick: boolean,
): Figure {
  // A quick run says nothing about a goal.
  const goal = quick ? {} : { atMost };
  return { what, measured, unit: 'ms', baselines: [{ name: quarter, measured: few, ...goal }] };
}
