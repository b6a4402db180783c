import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { noChoices } from '../../../../src/lib/people/rows/column-choices.ts';
import { csvRows } from '../../../../src/lib/people/rows/csv.ts';
import { emailColumns } from '../../../../src/lib/people/rows/email-columns.ts';

const texts = {
  'without quotes': 'to,a,b\nx@y.z,1,2\n\nu@v.w,,é\r\nk@l.m,\u{1f600},\n',
  'with quotes': 'to,a,b\nx@y.z,"1, ""one""","line\nbreak"\nu@v.w,"",plain\r\nk@l.m,"\r\n",3\n',
  'with quotes here and there': `to,a,b\n${'x@y.z,1,2\n'.repeat(20)}u@v.w,"a,b",c\n${'k@l.m,3,4\n'.repeat(20)}`,
  'without a line break at the end': 'to,a,b\nx@y.z,"1\n2",2\nu@v.w,3,4',
} as const;

/** Like a decoder's, the pieces end between characters. */
async function* pieces(text: string, length: number): AsyncGenerator<string> {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += length) {
    yield characters.slice(at, at + length).join('');
  }
}

const columns = emailColumns(noChoices, undefined);

async function scopes(text: string, length: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const row of csvRows(pieces(text, length), { name: 'people.csv' }, columns)) {
    found.push('scope' in row ? { ...row.scope() } : row);
  }
  return found;
}

test.for(Object.entries(texts))(
  'rows are the same in pieces of any length, %s',
  async ([, text]) => {
    const records: Record<string, string>[] = parse(text, {
      columns: true,
      record_delimiter: ['\r\n', '\n'],
      skip_empty_lines: true,
    });
    const expected = records.map((record) =>
      Object.fromEntries(Object.entries(record).filter(([, cell]) => cell.trim() !== '')),
    );
    expect(expected.length).toBeGreaterThan(1);
    for (let length = 1; length <= text.length; length++) {
      expect({ length, rows: await scopes(text, length) }).toEqual({ length, rows: expected });
    }
  },
);

test('a column may have any name', async () => {
  const rows = await scopes('to,__proto__,constructor,toString\nx@y.z,a,b,c\nu@v.w,,,d\n', 1000);
  expect(rows.map((row) => Object.entries(Object(row)))).toEqual([
    [
      ['to', 'x@y.z'],
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['toString', 'c'],
    ],
    [
      ['to', 'u@v.w'],
      ['toString', 'd'],
    ],
  ]);
});

test('the sep= line of Excel is not a row, in chunks of any length', async () => {
  const text = 'sep=;\r\nto;a\r\nx@y.z;"1,2"\r\nu@v.w;3\r\n';
  const rows = [
    { to: 'x@y.z', a: '1,2' },
    { to: 'u@v.w', a: '3' },
  ];
  for (let length = 1; length <= text.length; length++) {
    expect({ length, rows: await scopes(text, length) }).toEqual({ length, rows });
  }
});

test('an unclosed quote is found before the whole file is in memory', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<string> {
    yield 'to,a\nx@y.z,1\nx@y.z,"';
    for (; read < 1000; read++) yield 'x'.repeat(1024 * 1024);
  }
  const readAll = async () => {
    for await (const _ of csvRows(endless(), { name: 'people.csv' }, columns));
  };
  await expect(readAll()).rejects.toThrow(
    'people.csv: row 2 (line 3): a quote opens here and is not',
  );
  expect(read).toBeLessThan(30);
});
