import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPlace, isAnother, program, root, temporaryDirectory } from '../support/process.ts';

const file = join(root, 'bench', 'run.ts');
const benches = [
  'bulk',
  'bulk-continue',
  'bulk-memory',
  'bulk-rate',
  'list-all',
  'sandbox-inbox',
  'startup',
];

beforeEach(({ skip }) => skip(isAnother, 'it measures the built program only'));

test('npm run bench measures, and prints a ratio for everything it has measured', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('--quick list-all', { file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const [header = '', ...lines] = stdout.trimEnd().split('\n');
  expect(header).toMatch(/^ +MEDIAN +RANGE +BASELINE +MEDIAN +RATIO +GOAL$/);
  for (const flag of ['--jsonl', '--json', '--csv', '--quiet']) {
    expect(stdout).toMatch(
      new RegExp(`^200 rows, ${flag}: time +[\\d.]+ m?s .* plain loop +[\\d.]+ m?s +\\d`, 'm'),
    );
    expect(stdout).toMatch(
      new RegExp(`^200 rows, ${flag}: peak memory +\\d\\d+ MiB .* \\d\\.\\d\\d$`, 'm'),
    );
  }
  for (const line of lines) expect(line).toMatch(/ \d+\.\d\d$/);
});

test.each([
  ['bulk', /^1,000 rows of CSV with a template .* undici, bodies made before /m],
  ['bulk-memory', /^1,000 rows: peak memory +\d+ MiB/m],
  ['bulk-continue', /^half of 1,000 rows: time to the first request +[\d.]+ m?s/m],
  ['bulk-rate', /^100 requests at 50 a second: answered 429 +\d+ .* 0\.\d\d$/m],
  ['sandbox-inbox', /^200 messages, API, last page +[\d.]+ m?s .* 100 messages +[\d.]+ m?s +\d/m],
])('%s measures what it is named after', async (name, figure) => {
  const { exitCode, stdout, stderr } = await createPlace().run(`--quick ${name}`, { file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stdout).toMatch(figure);
});

test('startup measures each start beside that of a Node that does nothing', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('--quick startup', { file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  for (const words of ['--version', '--help', 'completion bash', 'domain list --json']) {
    expect(stdout).toMatch(new RegExp(`^mailer ${words} +\\d+ ms .* node -e 0 +\\d+ ms +\\d`, 'm'));
  }
});

test.each([
  [3, 1, '  slow: 3.00 of standing still, at most 2.00\n'],
  [2, 0, ''],
])('a figure of %i where 2 is good: it ends with %i', async (ratio, exitCode, missed) => {
  const place = createPlace();
  const figure = { unit: 'ms', baseline: { name: 'standing still', measured: [10] } };
  const figures = [
    { ...figure, what: 'slow', measured: [10 * ratio], atMost: 2 },
    { ...figure, what: 'without a goal', measured: [1000] },
  ];
  const file = onlyBench(
    place.home,
    `export const bench = { summary: 'made up', run: async () => (${JSON.stringify(figures)}) };`,
  );
  const outcome = await place.run('', { file });
  expect(outcome.exitCode).toBe(exitCode);
  expect(outcome.stdout).toMatch(/^slow .*2\.00 (met|missed)$/m);
  expect(outcome.stderr).toBe(
    `made-up: made up\n${missed === '' ? '' : `Missed goals:\n${missed}`}`,
  );
});

/** A copy of the benches in a place, with one of this text in place of all. */
function onlyBench(home: string, text: string): string {
  const copy = join(home, 'bench');
  cpSync(join(root, 'bench'), copy, { recursive: true });
  for (const name of benches) rmSync(join(copy, `${name}.ts`));
  writeFileSync(join(copy, 'made-up.ts'), text);
  return join(copy, 'run.ts');
}

test('a bench that is not there is named', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('nothing', { file });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(`no bench nothing; there are: ${benches}`);
});

describe('nothing is left of a bench', () => {
  const serverThen = (what: string) => `
    import { temporaryDirectory } from './lib/directories.ts';
    import { startServer } from './lib/measure.ts';
    export const bench = {
      summary: 'made up',
      async run() {
        const words = ['sandbox', 'start', '--port=0', '--json'];
        const file = ${JSON.stringify(program)};
        const env = { MAILER_SANDBOX_DIR: temporaryDirectory() };
        const { line } = await startServer({ file, words, env });
        process.stdout.write(line + '\\n');
        ${what}
      },
    };`;

  test.each([
    ['fails', "throw new Error('as it should');", undefined],
    ['is interrupted', 'await new Promise(() => {});', 'SIGINT'],
    ['is terminated', 'await new Promise(() => {});', 'SIGTERM'],
  ] as const)('that %s: no files, and no server', async (_, what, signal) => {
    const temporary = temporaryDirectory();
    const place = createPlace({ TMPDIR: temporary });
    const started = place.start('', { file: onlyBench(place.home, serverThen(what)) });
    let url = '';
    for await (const line of started) {
      // What the program says of itself, which its tests check.
      ({ url } = JSON.parse(line) as { readonly url: string });
      if (signal !== undefined) started.kill(signal);
    }
    expect((await started).exitCode).not.toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
