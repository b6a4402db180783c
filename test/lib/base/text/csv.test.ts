import { expect, test } from 'vitest';
import { asText, csvRow, tsvRow } from '../../../../src/lib/base/text/csv.ts';

test.each([
  [['a', 'b'], 'a,b\r\n'],
  [['a,b', 'c'], '"a,b",c\r\n'],
  [['say "hi"'], '"say ""hi"""\r\n'],
  [['"'], '""""\r\n'],
  [['a\nb', 'c\rd', 'e\r\nf'], '"a\nb","c\rd","e\r\nf"\r\n'],
  [['', ''], ',\r\n'],
  [[''], '""\r\n'],
  [[' a ', 'b\tc', 'd;e'], '" a ",b\tc,d;e\r\n'],
  [['José', '山田', '👍'], 'José,山田,👍\r\n'],
  [['=1+1', '+1', '-1', '@SUM(A1)', "'x"], "=1+1,+1,-1,@SUM(A1),'x\r\n"],
  [['\x1b[31m\0'], '\x1b[31m\0\r\n'],
])('csvRow(%j)', (cells, expected) => {
  expect(csvRow(cells)).toBe(expected);
});

test.each([
  [['a', 'b'], 'a\tb\n'],
  [['a\tb', 'c\nd', 'e\r\nf'], 'a\\tb\tc\\nd\te\\r\\nf\n'],
  [['', '', ''], '\t\t\n'],
  [['\x1b[31m'], '\\x1b[31m\n'],
  [['say "hi", José'], 'say "hi", José\n'],
])('tsvRow(%j)', (cells, expected) => {
  expect(tsvRow(cells)).toBe(expected);
});

test.each([
  '=1+1',
  '+1+1',
  '-1+cmd|x',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '＝1',
  '＋x',
  '－x',
  '＠x',
  '--5',
  '-',
  '-5%',
  '+1 234',
  '-1.5e',
])('asText puts a quote before %j', (cell) => {
  expect(asText(cell)).toBe(`'${cell}`);
});

test.each([
  ['Hello;=HYPERLINK(1)', "Hello;'=HYPERLINK(1)"],
  ['a\t=1', "a\t'=1"],
  ['a|@x', "a|'@x"],
  ['a\r\n+1', "a\r\n'+1"],
  ['a;"=1";b;-1', 'a;"\'=1";b;\'-1'],
  ["a;'=1", "a;''=1"],
  ['=1;=2', "'=1;'=2"],
  ['\n=1', "'\n'=1"],
  ['\t"=1', "'\t\"'=1"],
])('asText quotes %j, which some programs read as several cells', (cell, expected) => {
  expect(asText(cell)).toBe(expected);
});

test.each([
  'a; b',
  'a;b=1',
  'a|b',
  '',
  'a',
  ' =1',
  'a=1',
  "'=1",
  '5',
  '-5',
  '+5',
  '-5.25',
  '-1e3',
  '1-2',
  'a@b.example',
])('asText does not change %j', (cell) => {
  expect(asText(cell)).toBe(cell);
});

test('no cells are an empty text', () => {
  expect(csvRow([])).toBe('');
});
