import { expect, test } from 'vitest';
import { cut, flow } from '../../../src/lib/text/flow.ts';

test.each<[readonly string[], number, readonly string[]]>([
  [[], 10, []],
  [['one'], 10, ['one']],
  [['one', 'two', 'three'], 8, ['one, two', 'three']],
  [['one', 'two'], 7, ['one', 'two']],
  [['one', 'much too long', 'two'], 8, ['one', 'much too long', 'two']],
  [['\x1b[32mone\x1b[39m', 'two'], 8, ['\x1b[32mone\x1b[39m, two']],
  [['日本', '語'], 8, ['日本, 語']],
  [['日本', '語'], 7, ['日本', '語']],
])('%j in %d columns', (pieces, width, lines) => {
  expect(flow(pieces, ', ', width)).toEqual(lines);
});

test.each([
  ['Spring', 6, 'Spring'],
  ['Spring', 5, 'Spri…'],
  ['Spring', 1, '…'],
  ['Spring', 0, ''],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
])('%s cut to %d columns', (text, width, expected) => {
  expect(cut(text, width)).toBe(expected);
});
