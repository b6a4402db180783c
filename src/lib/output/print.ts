import type { Notes } from '../notes.ts';
import type { OutputStream } from '../system.ts';
import { csvRow, tsvRow } from '../text/csv.ts';
import { escapeJson, visible, visibleLines } from '../text/visible.ts';
import { write } from '../write.ts';
import { type CellStyle, cellOf, plainCell, shownCell } from './cells.ts';
import { isObject, pick, pickInReply, valueAt } from './fields.ts';
import type { Format } from './format.ts';
import type { Cell, Column, ListResult, Page, RecordResult, Result, Section } from './result.ts';

export interface PrintOptions {
  readonly stdout: OutputStream;
  readonly signal: AbortSignal;
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
  readonly style: CellStyle;
  readonly notes: Notes;
}

/** Shows a result: the one place where a command's words reach stdout. */
export async function printResult(result: Result, options: PrintOptions): Promise<void> {
  switch (result.kind) {
    case 'list':
      return await printList(result, options);
    case 'record':
      return await printRecord(result, options);
    case 'done':
      await printSingle(result.reply, result.ids.map(visible).join('\n'), options);
      options.notes.say(result.message);
      return;
    case 'text':
      if (options.format === 'quiet') {
        return await print(options, `${visible(result.quiet ?? result.text)}\n`);
      }
      return await printSingle(result.reply, result.text, options);
  }
}

async function print({ stdout, signal }: PrintOptions, text: string): Promise<void> {
  await write(stdout, text, signal);
}

/** JSON where it was asked for, else the text. */
async function printSingle(reply: unknown, text: string, options: PrintOptions): Promise<void> {
  const shown = options.fields === undefined ? reply : pick(reply, options.fields);
  switch (options.format) {
    case 'json':
      return await print(options, jsonDocument(shown, options));
    case 'jsonl':
      return await print(options, jsonLine(shown));
    default:
      if (options.fields !== undefined) {
        return await printFields(reply, options.fields, options);
      }
      return await print(options, text === '' ? '' : `${visibleEachLine(text)}\n`);
  }
}

async function printRecord(result: RecordResult, options: PrintOptions): Promise<void> {
  const { format, fields, stdout } = options;
  if (format === 'quiet') return await print(options, `${visible(result.quiet)}\n`);
  if (format !== 'table' || fields !== undefined) {
    return await printSingle(result.reply, '', options);
  }
  if (stdout.isTTY === true) {
    await printLabelled(
      result.rows.map(([, label, cell]) => [label, cell]),
      options,
    );
  } else {
    for (const [field, , cell] of result.rows) {
      await print(options, tsvRow([field, plainCell(cell)]));
    }
  }
  for (const section of result.sections ?? []) await printSection(section, options);
  if (result.note !== undefined) options.notes.say(result.note);
}

/** Labels and values, a line each; what is empty is left out. */
async function printLabelled(
  rows: readonly (readonly [label: string, cell: Cell])[],
  options: PrintOptions,
): Promise<void> {
  const { style } = options;
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, cell] of rows) {
    const text = shownCell(cell, style);
    if (text === '') continue;
    const title = style.palette.bold(label.padEnd(width));
    await print(options, isBlock(cell) ? block(title, cell) : `${title}  ${text}\n`);
  }
}

async function printSection(section: Section, options: PrintOptions): Promise<void> {
  const { stdout, style } = options;
  if (stdout.isTTY !== true) {
    await print(options, `\n${tsvRow(section.columns.map(({ header }) => header))}`);
    for (const row of section.rows) await print(options, tsvRow(row.map(plainCell)));
    return;
  }
  await print(options, `\n${style.palette.bold(section.title)}\n`);
  if (section.rows.length === 0) return await print(options, `${section.empty}\n`);
  if (section.stacked === true) {
    for (const [index, row] of section.rows.entries()) {
      if (index > 0) await print(options, '\n');
      await printLabelled(
        section.columns.map(({ header }, column) => [header, row[column]]),
        options,
      );
    }
    return;
  }
  const { createTable } = await import('./table.ts');
  const table = createTable(section.columns, style, stdout.columns ?? 80);
  await print(options, table.render(section.rows));
}

/** One record reduced to some fields: name and value, a line each. */
async function printFields(
  reply: unknown,
  fields: readonly string[],
  options: PrintOptions,
): Promise<void> {
  for (const field of fields) {
    await print(options, tsvRow([field, plainCell(cellOf(valueAt(reply, field)))]));
  }
}

async function printList(list: ListResult, options: PrintOptions): Promise<void> {
  if (options.format === 'json') return await printJsonList(list, options);
  const columns = options.fields?.map(fieldColumn) ?? list.columns;
  const printRows = await rowPrinter(list, columns, options);
  let last: Page<unknown> | undefined;
  let rows = 0;
  for await (const page of list.pages) {
    rows += page.rows.length;
    last = page;
    await printRows(page.rows);
  }
  if (options.format === 'quiet' || options.format === 'jsonl') return;
  if (rows === 0) options.notes.say(list.empty);
  else if (last !== undefined) {
    const note = list.note?.(last);
    if (note !== undefined) options.notes.say(note);
  }
}

type RowPrinter = (rows: readonly unknown[]) => Promise<void>;

async function rowPrinter(
  list: ListResult,
  columns: readonly Column<unknown>[],
  options: PrintOptions,
): Promise<RowPrinter> {
  const { format, fields, stdout, style } = options;
  const each = (line: (row: unknown) => string, header = ''): RowPrinter => {
    // With the first page, not earlier: an error before it leaves stdout empty.
    let start = header;
    return async (rows) => {
      await print(options, start + rows.map(line).join(''));
      start = '';
    };
  };
  if (format === 'quiet') return each((row) => `${visible(list.id(row))}\n`);
  if (format === 'jsonl') {
    return each((row) => jsonLine(fields === undefined ? row : pick(row, fields)));
  }
  if (format === 'csv') {
    // A file gets the values as they are; a terminal would obey what is in them.
    const shown = stdout.isTTY === true ? visible : (text: string) => text;
    return each(
      (row) => csvRow(columns.map(({ field }) => shown(plainCell(cellOf(valueAt(row, field)))))),
      csvRow(columns.map(({ field }) => field)),
    );
  }
  if (stdout.isTTY !== true) {
    return each(
      (row) => tsvRow(columns.map(({ cell }) => plainCell(cell(row)))),
      tsvRow(columns.map(({ header }) => header)),
    );
  }
  const { createTable } = await import('./table.ts');
  const table = createTable(columns, style, stdout.columns ?? 80);
  return async (rows) => {
    if (rows.length === 0) return;
    const cells: Cell[][] = rows.map((row) => columns.map(({ cell }) => cell(row)));
    await print(options, table.render(cells));
  };
}

/** One JSON document: the reply as it came, or all pages joined into one reply of the same shape. */
async function printJsonList(list: ListResult, options: PrintOptions): Promise<void> {
  const { fields } = options;
  if (list.joinPages !== true) {
    for await (const { reply } of list.pages) {
      const shown = fields === undefined ? reply : pickInReply(reply, list.rowsIn, fields);
      await print(options, jsonDocument(shown, options));
    }
    return;
  }
  let firstReply: unknown;
  let separator = list.rowsIn === undefined ? '[' : `{\n  ${JSON.stringify(list.rowsIn)}: [`;
  for await (const page of list.pages) {
    firstReply ??= page.reply;
    for (const row of page.rows) {
      const shown = fields === undefined ? row : pick(row, fields);
      await print(options, `${separator}\n    ${escapeJson(JSON.stringify(shown))}`);
      separator = ',';
    }
  }
  const opening = separator === ',' ? '' : separator;
  await print(options, `${opening}\n  ]${restOfReply(firstReply, list.rowsIn)}\n`);
}

/** What stands in a reply beside its rows, as the end of a JSON object. */
function restOfReply(reply: unknown, rowsIn: string | undefined): string {
  if (rowsIn === undefined) return '';
  const rest = isObject(reply) ? Object.entries(reply).filter(([name]) => name !== rowsIn) : [];
  const members = rest.map(
    ([name, value]) => `,\n  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `${escapeJson(members.join(''))}\n}`;
}

function isBlock(cell: Cell): cell is string {
  return typeof cell === 'string' && cell.trimEnd().includes('\n');
}

/** A text of several lines, set off from its title. */
function block(title: string, text: string): string {
  const lines = visibleLines(text.trimEnd()).split('\n');
  return `${title}\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`;
}

function fieldColumn(field: string): Column<unknown> {
  return { field, header: field, cell: (row) => cellOf(valueAt(row, field)), flexible: true };
}

/** Indented for a person at a terminal, one line for everything else. */
function jsonDocument(value: unknown, { stdout }: PrintOptions): string {
  return stdout.isTTY === true
    ? `${escapeJson(JSON.stringify(value, null, 2))}\n`
    : jsonLine(value);
}

function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}

function visibleEachLine(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
