import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/process.ts';
import { filesIn, read } from '../support/sources.ts';

/** The rows of the page: what is measured, and its limit. */
const rows = [...read('docs/size.md').matchAll(/^\| (lines .+?) \| ([\d,]+) \|/gm)].map(
  ([, what = '', limit = '']) => [what, Number(limit.replaceAll(',', ''))] as const,
);

function linesOf(path: string): number {
  const files = /\.\w+$/.test(path) ? [path] : filesIn(`${path}/**/*.{ts,txt}`);
  return files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);
}

test('the page has a row for every room', () => {
  const wings = readdirSync(join(root, 'src/lib')).map((wing) => `lib/${wing}`);
  const rooms = [...readdirSync(join(root, 'src')), ...wings]
    .filter((room) => room !== 'lib')
    .map((room) => `lines of \`src/${room}\``);
  expect(rows.map(([what]) => what)).toEqual(expect.arrayContaining(rooms));
});

test.each(rows)('%s are at most %i, and not a fifth less', (what, limit) => {
  const [, path = ''] = /`(.+)`/.exec(what) ?? [];
  const size = linesOf(path);
  expect(size).toBeLessThanOrEqual(limit);
  // A limit far away would say nothing.
  expect(size).toBeGreaterThan(limit * 0.8);
});
