import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { plainPalette } from '../../../src/lib/output/palette.ts';
import { printList } from '../../../src/lib/output/print-list.ts';
import { type List, type ListPage, list } from '../../../src/lib/output/result.ts';
import { createNotes } from '../../../src/lib/terminal/notes.ts';

/** What a terminal of 60 columns, or a pipe, is shown of a list of two pages. */
async function shown(more: Partial<List<string>>, isTTY = true): Promise<string> {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      text += chunk;
      callback();
    },
  });
  async function* pages(): AsyncGenerator<ListPage<string>> {
    yield { reply: [], rows: [] };
    yield { reply: ['a', 'b'], rows: ['a', 'b'] };
    text += '(later)\n';
    yield { reply: ['c'], rows: ['c'] };
  }
  const result = list<string>({
    pages: pages(),
    rowsIn: undefined,
    columns: [{ field: 'name', header: 'Name', cell: (row) => row }],
    id: (row) => row,
    empty: '',
    ...more,
  });
  await printList(result, {
    stdout: Object.assign(stream, { isTTY, columns: 60 }),
    signal: new AbortController().signal,
    format: 'table',
    fields: undefined,
    style: { now: 0, timeZone: 'UTC', palette: plainPalette },
    notes: createNotes({ write: () => {}, wait: () => false, quiet: () => true }),
    redact: (all) => all.replaceAll('secret', '***'),
  });
  return text;
}

const above: List<string>['above'] = async (rows, { timeZone }, width) => [
  `${rows.join('+')} in ${timeZone}, ${width} wide`,
  'secret',
];

test('lines above the rows stand once, made of the first page with rows', async () => {
  const head = 'a+b in UTC, 60 wide\n***\n\n';
  expect(await shown({ above })).toBe(`${head}NAME\na\nb\n(later)\nc\n`);
  expect(await shown({ above, stacked: true })).toBe(
    `${head}Name  a\n\nName  b\n(later)\n\nName  c\n`,
  );
});

test('no lines above, no empty line', async () => {
  expect(await shown({ above: async () => [] })).toBe('NAME\na\nb\n(later)\nc\n');
});

test('no lines above in a pipe', async () => {
  expect(await shown({ above }, false)).toBe('Name\na\nb\n(later)\nc\n');
});
