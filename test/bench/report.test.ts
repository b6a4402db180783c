import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writePage } from '../../bench/lib/page.ts';
import { missedGoals, report } from '../../bench/lib/report.ts';
import { temporaryDirectory } from '../support/process.ts';
import { filesIn, read } from '../support/sources.ts';

const header = / +MEDIAN +RANGE +PER S +BASELINE +MEDIAN +RATIO +AT MOST/;

const standing = { name: 'standing still', measured: [10] };
const baselines = [standing];
const fast = { what: 'fast', unit: 'ms', measured: [9, 30, 10], baselines } as const;
const madeUp = { name: 'made-up', summary: 'made up' };

test('a line has the median, the range and the amount per second, and says whether a goal is met', () => {
  const several = [...baselines, { name: 'a long walk', measured: [8000, 4000], atMost: 0.5 }];
  const figures = [
    { ...fast, amount: 12 },
    { ...fast, what: 'long', measured: [900, 2100], baselines: several },
    { ...fast, what: 'large', unit: 'KiB', measured: [2048] },
    { ...fast, what: 'slow', measured: [30], baselines: [{ ...standing, atMost: 2 }] },
  ] as const;
  const sections = [{ ...madeUp, figures }];
  expect(missedGoals(sections)).toEqual(['made-up, slow: 3.00 of standing still, at most 2.00']);
  expect(
    report(sections),
  ).toBe(`       MEDIAN  RANGE           PER S  BASELINE        MEDIAN   RATIO  AT MOST

made-up: made up (1 to 3 runs)
fast    10 ms  9 to 30 ms      1,200  standing still   10 ms    1.00
long   1.50 s  0.90 to 2.10 s         standing still   10 ms  150.00
                                      a long walk     6.00 s    0.25  0.50 met
large   2 MiB  2 to 2 MiB             standing still   0 MiB  204.80
slow    30 ms  30 to 30 ms            standing still   10 ms    3.00  2.00 missed
`);
});

describe('docs/performance.md', () => {
  const parts = read('docs/performance.md').split(/^## /m).slice(1);
  const benches = filesIn('bench/*.ts')
    .map((path) => basename(path, '.ts'))
    .filter((name) => name !== 'run');

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

  test('has the figures of a bench in the place of those before, and nothing else changes', () => {
    const path = join(temporaryDirectory(), 'performance.md');
    const before = '# Page\n\n## Other: `npm run bench -- made`\n\n```text\nold\n```\n\n';
    const after = '```\n\nText.\n\n```text\nanother\n```\n';
    const start = '## This: `npm run bench -- made-up`\n\nText.\n\n```text\n';
    writeFileSync(path, `${before}${start}old\n\n$& old\n${after}`);
    const sections = [{ ...madeUp, figures: [fast] }];
    writePage(path, sections, new Date('2026-01-15T10:00:00Z'));
    const written = readFileSync(path, 'utf8');
    expect(written.startsWith(`${before}${start}15 January 2026, `)).toBe(true);
    expect(written.endsWith(`\n\n${report(sections)}${after}`)).toBe(true);
    expect(written).not.toContain('$&');
    expect(written).toMatch(/^15 January 2026, .*, Node [\d.]+\n\n +MEDIAN/m);
  });
});
