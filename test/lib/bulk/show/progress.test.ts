import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openInput } from '../../../../src/lib/bulk/input/open-input.ts';
import { createCheckingProgress } from '../../../../src/lib/bulk/show/progress.ts';
import { temporaryDirectory } from '../../../support/process.ts';

test.each<[string, number | undefined, number, number, string[]]>([
  [
    'a file',
    0.372,
    372_000,
    76,
    ['Checking the rows  ███████████░░░░░░░░░░░░░░░░░░░   37.2%  372,000'],
  ],
  ['all of a file', 1, 1000, 76, [`Checking the rows  ${'█'.repeat(30)}  100.0%  1,000`]],
  ['a file of few rows yet', 0.1, 0, 76, [`Checking the rows  ███${'░'.repeat(27)}   10.0%`]],
  ['a narrow terminal', 0.5, 372_000, 36, ['Checking the rows  ████░░░░░   50.0%', '372,000']],
  ['a pipe', undefined, 372_000, 76, ['Checking the rows  372,000']],
  ['a pipe that nothing has come from', undefined, 0, 76, ['Checking the rows']],
])('%s', async (_, share, rows, columns, expected) => {
  const system = { env: {}, stderr: new PassThrough() };
  const { checked, view } = await createCheckingProgress({ system, flags: {} }, () => share);
  checked(rows);
  expect(view(columns)).toEqual(expected);
});

async function open(path: string, cwd: string, stdin = '') {
  const signal = new AbortController().signal;
  return await openInput(path, { cwd, stdin: Readable.from([stdin]), signal });
}

test('the part of a file that has been read', async () => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'rows.csv'), 'x'.repeat(1_000_000));
  const { text, share } = await open('rows.csv', cwd);
  expect(share()).toBe(0);
  const seen: unknown[] = [];
  for await (const _ of text) seen.push(share());
  expect(seen.at(0)).toBeGreaterThan(0);
  expect(seen.at(0)).toBeLessThan(0.5);
  expect(seen.at(-1)).toBe(1);
});

test('nobody knows how much there is of standard input, or of a file without a size', async () => {
  const cwd = temporaryDirectory();
  for (const path of ['-', '/proc/self/status']) {
    const { text, share } = await open(path, cwd, 'some');
    for await (const _ of text) expect(share()).toBeUndefined();
  }
});
