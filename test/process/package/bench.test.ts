import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createPlace, isAnother, root } from '../../support/process.ts';
import { filesIn } from '../../support/sources.ts';

const file = join(root, 'bench', 'run.ts');
const benches = filesIn('bench/*.ts').filter((path) => basename(path) !== 'run.ts');
const header = / +MEDIAN +RANGE +PER S +BASELINE +MEDIAN +RATIO +AT MOST/;

beforeEach(({ skip }) => skip(isAnother, 'it measures the built program only'));

// Quick runs have no goals, so no test here depends on how fast something is.
test('npm run bench measures, and prints a ratio for each figure', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('--quick list-all', { file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const [first = '', , heading, ...lines] = stdout.trimEnd().split('\n');
  expect(first).toMatch(new RegExp(`^${header.source}$`));
  expect(heading).toMatch(/^list-all: .* 200 emails, .* \(1 run\)$/);
  for (const format of ['TSV', '--jsonl', '--json', '--csv', '--quiet']) {
    expect(stdout).toMatch(
      new RegExp(`^${format}, all rows +[\\d.]+ m?s .* [\\d,]+ +plain loop +[\\d.]+ m?s +\\d`, 'm'),
    );
    expect(stdout).toMatch(
      new RegExp(
        `^${format}, peak memory +\\d+ MiB .* 100 rows +\\d+ MiB +\\d\\.\\d\\d\n +plain loop +\\d+ MiB +\\d`,
        'm',
      ),
    );
  }
  for (const line of lines) expect(line).toMatch(/ \d+\.\d\d$/);
});

test('--write updates the page; a missed goal is 1', async () => {
  const place = createPlace();
  // A separate copy of the benches, with a single bench.
  cpSync(join(root, 'bench'), join(place.home, 'bench'), { recursive: true });
  for (const path of benches) rmSync(join(place.home, path));
  const baselines = [{ name: 'standing still', measured: [10], atMost: 2 }];
  const figures = [{ what: 'slow', unit: 'ms', measured: [30], baselines }];
  writeFileSync(
    join(place.home, 'bench', 'made-up.ts'),
    `export const bench = { summary: () => 'made up', run: async () => (${JSON.stringify(figures)}) };`,
  );
  const path = join(place.home, 'docs', 'performance.md');
  mkdirSync(join(place.home, 'docs'));
  writeFileSync(path, '## This: `npm run bench -- made-up`\n\n```text\nold\n```\n');
  const ended = await place.run('--write', { file: join(place.home, 'bench', 'run.ts') });
  expect(ended).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/^slow +30 ms .* 3\.00 +2\.00 missed$/m),
    stderr:
      'made-up: made up\nMissed goals:\n  made-up, slow: 3.00 of standing still, at most 2.00\n',
  });
  expect(readFileSync(path, 'utf8')).toContain(ended.stdout);
});

test('a missing bench is named', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('nothing', { file });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain('no bench nothing; there are: startup,send,');
});
