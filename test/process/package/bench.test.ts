import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPlace, isAnother, type Place, root } from '../../support/process.ts';

const file = join(root, 'bench', 'run.ts');
const benches = [
  'startup',
  'send',
  'sandbox-load',
  'sandbox-inbox',
  'sandbox-accounts',
  'memory',
  'list-all',
  'growth',
  'email-find',
  'dmarc-report',
  'contact-import',
  'check',
  'bulk-rate',
  'bulk-memory',
  'bulk-continue',
  'bulk',
];
const header = / +MEDIAN +RANGE +PER S +BASELINE +MEDIAN +RATIO +AT MOST/;

beforeEach(({ skip }) => skip(isAnother, 'it measures the built program only'));

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

/** A separate copy of the benches, with a single bench. */
function withBench(body: string): Place & { readonly file: string } {
  const place = createPlace();
  const copy = join(place.home, 'bench');
  cpSync(join(root, 'bench'), copy, { recursive: true });
  for (const name of benches) rmSync(join(copy, `${name}.ts`));
  writeFileSync(
    join(copy, 'made-up.ts'),
    `export const bench = { summary: () => 'made up', run: async () => { ${body} } };`,
  );
  return { ...place, file: join(copy, 'run.ts') };
}

const baselines = [{ name: 'standing still', measured: [10] }];
const fast = { what: 'fast', unit: 'ms', measured: [9, 30, 10], baselines };

test('a line has the median, the range and the amount per second; a missed goal is 1', async () => {
  const several = [...baselines, { name: 'a long walk', measured: [8000, 4000], atMost: 0.5 }];
  const figures = [
    { ...fast, amount: 12 },
    { ...fast, what: 'long', measured: [900, 2100], baselines: several },
    { ...fast, what: 'large', unit: 'KiB', measured: [2048], baselines },
    { ...fast, what: 'slow', measured: [30], baselines: [{ ...baselines[0], atMost: 2 }] },
  ];
  const place = withBench(`return ${JSON.stringify(figures)}`);
  const { exitCode, stdout, stderr } = await place.run('', place);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr:
      'made-up: made up\nMissed goals:\n  made-up, slow: 3.00 of standing still, at most 2.00\n',
  });
  expect(stdout).toBe(`       MEDIAN  RANGE           PER S  BASELINE        MEDIAN   RATIO  AT MOST

made-up: made up (1 to 3 runs)
fast    10 ms  9 to 30 ms      1,200  standing still   10 ms    1.00
long   1.50 s  0.90 to 2.10 s         standing still   10 ms  150.00
                                      a long walk     6.00 s    0.25  0.50 met
large   2 MiB  2 to 2 MiB             standing still   0 MiB  204.80
slow    30 ms  30 to 30 ms            standing still   10 ms    3.00  2.00 missed
`);
});

test('a missing bench is named', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('nothing', { file });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(`no bench nothing; there are: ${benches}`);
});

describe('docs/performance.md', () => {
  const page = readFileSync(join(root, 'docs', 'performance.md'), 'utf8');
  const parts = page.split(/^## /m).slice(1);

  test.each(benches)('has a block for %s, as the bench prints it', (name) => {
    const named = parts.filter((part) =>
      /^.*/.exec(part)?.[0].endsWith(`\`npm run bench -- ${name}\``),
    );
    expect(named).toHaveLength(1);
    const blocks = [...(named[0] ?? '').matchAll(/^```text\n([\s\S]*?)^```$/gm)];
    expect(blocks).toHaveLength(1);
    const block = blocks[0]?.[1] ?? '';
    if (block === 'Not measured yet.\n') return;
    const [conditions, , head, , heading] = block.split('\n');
    expect(conditions).toMatch(
      /^\d+ [A-Z][a-z]+ \d{4}, \d+ cores? of .*, \d+ GiB, .*, Node [\d.]+$/,
    );
    expect(head).toMatch(header);
    expect(heading).toMatch(new RegExp(`^${name}: .* \\([\\d to]+ runs?\\)$`));
    expect(Math.max(...block.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('has nothing else', () => {
    expect(parts).toHaveLength(benches.length);
  });

  test('--write updates it', async () => {
    const place = withBench(`return ${JSON.stringify([fast])}`);
    const path = join(place.home, 'docs', 'performance.md');
    mkdirSync(join(place.home, 'docs'));
    const before = '# Page\n\n## Other: `npm run bench -- made`\n\n```text\nold\n```\n\n';
    const after = '```\n\nText.\n\n```text\nanother\n```\n';
    const start = '## This: `npm run bench -- made-up`\n\nText.\n\n```text\n';
    writeFileSync(path, `${before}${start}old\n\n$& old\n${after}`);
    const { exitCode, stdout, stderr } = await place.run('--write', place);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'made-up: made up\n' });
    const written = readFileSync(path, 'utf8');
    expect(written.startsWith(`${before}${start}`)).toBe(true);
    expect(written.endsWith(`\n\n${stdout}${after}`)).toBe(true);
    expect(written).not.toContain('$&');
    expect(written).toMatch(/^\d+ [A-Z][a-z]+ \d{4}, .*, Node [\d.]+\n\n +MEDIAN/m);
  });
});
