import { exactFields, withExactNumbers } from '../../base/json/exact-numbers.ts';
import { asText, csvRow, tsvRow } from '../../base/text/csv.ts';
import { escapeJson, visible } from '../../base/text/visible.ts';
import { cellIn, plainCell } from './cells.ts';
import { type ChosenField, checkFields, chooseFields, dataOf } from './chosen-fields.ts';
import { pick } from './fields.ts';
import { printLabelled, stackedRows } from './print-labelled.ts';
import { jsonDocument, jsonLine, type PrintOptions, print, printJson } from './print-text.ts';
import { type Cell, type Column, type ListPage, type ListResult, linesOf } from './result.ts';

/** Shows a list page by page, as the pages arrive. */
export async function printList(given: ListResult, asked: PrintOptions): Promise<void> {
  const options = given.format === undefined ? asked : { ...asked, format: given.format };
  const { format, fields } = options;
  const vocabulary = { columns: given.columns, known: options.known };
  const chosen = fields && chooseFields(fields, vocabulary);
  const list = chosen === undefined ? given : withFieldCheck(given, chosen, options);
  const asJson = given.asJson === true && format === 'table' && fields === undefined;
  if (format === 'json' || asJson) return await printJsonList(list, chosen, options);
  const printRows = await rowPrinter(list, chosen, options);
  let last: ListPage<unknown> | undefined;
  let rows = 0;
  for await (const page of list.pages) {
    rows += page.rows.length;
    last = page;
    await printRows(page.rows);
  }
  if (format === 'quiet' || format === 'jsonl') return;
  if (rows === 0) {
    options.notes.say(typeof list.empty === 'string' ? list.empty : list.empty(last));
  } else if (last !== undefined) {
    const note = list.note?.(last);
    if (note !== undefined) options.notes.say(...linesOf(note));
  }
}

/** The same list; an unknown chosen field is an error before any row is shown. */
function withFieldCheck(
  list: ListResult,
  chosen: readonly ChosenField[],
  options: PrintOptions,
): ListResult {
  const { columns, afterWriting } = list;
  async function* pages(): AsyncGenerator<ListPage<unknown>> {
    let unchecked = true;
    for await (const page of list.pages) {
      if (unchecked && page.rows.length > 0) {
        unchecked = false;
        checkFields(chosen, page.rows, { columns, afterWriting }, options);
      }
      yield page;
    }
    // Without rows nothing is certain: a service may have more fields than the contract.
    if (unchecked) checkFields(chosen, [], { columns, afterWriting: true }, options);
  }
  return { ...list, pages: pages() };
}

/** Rows are collected up to this many characters, then printed. A longer row is printed whole. */
const together = 64 * 1024;

type RowPrinter = (rows: readonly unknown[]) => Promise<void>;

async function rowPrinter(
  list: ListResult,
  chosen: readonly ChosenField[] | undefined,
  options: PrintOptions,
): Promise<RowPrinter> {
  const { format, stdout, hasHeader } = options;
  const columns = chosen?.map(({ column }) => column) ?? list.columns;
  const each = (
    line: (row: unknown) => string,
    header = '',
    show = (text: string) => print(options, text),
  ): RowPrinter => {
    // Printed with the first page and not earlier, so that stdout stays empty if that page fails.
    let start = hasHeader ? header : '';
    return async (rows) => {
      // Not all rows of a page as one text, because they may be large.
      for (const row of rows) {
        start += line(row);
        if (start.length < together) continue;
        await show(start);
        start = '';
      }
      await show(start);
      start = '';
    };
  };
  const cells = (row: unknown) => columns.map((column) => plainCell(dataOf(column, row)));
  const names = columns.map(({ field }) => field);
  switch (format) {
    case 'quiet':
      return each((row) => {
        if (chosen !== undefined) return tsvRow(cells(row));
        const id = list.id(row);
        return id === undefined ? '' : `${visible(id)}\n`;
      });
    case 'jsonl':
      return each(
        (row) => jsonLine(chosen === undefined ? row : pick(row, chosen)),
        '',
        (text) => printJson(options, text),
      );
    case 'csv': {
      // A file gets the values unchanged; a terminal would obey control characters in them.
      const raw = options.csvSafe === true ? asText : (text: string) => text;
      const shown = (text: string) => (stdout.isTTY === true ? visible(raw(text)) : raw(text));
      const record = (texts: readonly string[]) => csvRow(texts.map(shown), list.csvEnd);
      return each((row) => record(cells(row)), record(names));
    }
    case 'table':
    case 'json':
      break;
  }
  if (stdout.isTTY !== true) return each((row) => tsvRow(cells(row)), tsvRow(names));
  if (chosen !== undefined) return await tableRows(list, columns, options);
  const { line } = list;
  const printRows =
    line !== undefined
      ? each((row) => `${line(row, options.style, widthOf(options))}\n`)
      : list.stacked === true
        ? stackedRows(columns, options)
        : await tableRows(list, columns, options);
  const { above } = list;
  if (above === undefined) return printRows;
  return async (rows) => {
    const lines = await above(rows, options.style, widthOf(options));
    if (lines.length > 0) await print(options, `${lines.join('\n')}\n\n`);
    await printRows(rows);
  };
}

async function tableRows(
  list: ListResult,
  columns: readonly Column<unknown>[],
  options: PrintOptions,
): Promise<RowPrinter> {
  const { fields, style } = options;
  const { createTable } = await import('./table.ts');
  let shown: readonly Column<unknown>[] = [];
  let table: ReturnType<typeof createTable> | undefined;
  return async (rows) => {
    if (rows.length === 0) return;
    if (table === undefined || list.tablePerPage === true) {
      shown = columns.filter(
        ({ inDetails, onlyFor }) => inDetails !== true && (!onlyFor || rows.some(onlyFor)),
      );
      table = createTable(shown, style, widthOf(options), options.hasHeader);
    }
    const cells: Cell[][] = rows.map((row) => shown.map((column) => cellIn(column, row)));
    await print(options, table(cells));
    if (fields === undefined) await printDetails(list, rows, options);
  };
}

function widthOf({ stdout }: PrintOptions): number {
  return stdout.columns || 80;
}

async function printDetails(
  list: ListResult,
  rows: readonly unknown[],
  options: PrintOptions,
): Promise<void> {
  for (const row of rows) {
    const details = list.details?.(row);
    if (details === undefined) continue;
    await print(options, `\n${options.style.palette.bold(visible(details.title))}\n`);
    await printLabelled(details.lines, options);
  }
}

/**
 * Prints one JSON document: the reply as received, or all pages joined in the first one's shape. It
 * is written as pages arrive. After a failure its end is missing, so no reader takes it for
 * complete.
 */
async function printJsonList(
  list: ListResult,
  chosen: readonly ChosenField[] | undefined,
  options: PrintOptions,
): Promise<void> {
  const { rowsIn } = list;
  const shown = (row: unknown) => (chosen === undefined ? row : pick(row, chosen));
  if (list.joinPages !== true) {
    for await (const { rest, rows } of list.pages) {
      const document = withRows(rest, rowsIn, rows.map(shown));
      await printJson(options, jsonDocument(document, options));
    }
    return;
  }
  const { breakBefore, colon } = spacingOf(options);
  let first: ListPage<unknown> | undefined;
  const name = rowsIn === undefined ? '' : `{${breakBefore(1)}${JSON.stringify(rowsIn)}${colon}`;
  let separator = `${name}[`;
  for await (const page of list.pages) {
    first ??= page;
    if (page.rows.length === 0) continue;
    const rows = page.rows.map(
      (row) => `${breakBefore(2)}${JSON.stringify(withExactNumbers(shown(row)))}`,
    );
    await printJson(options, `${separator}${rows.join(',')}`);
    separator = ',';
  }
  const opening = separator === ',' ? '' : separator;
  const end = afterRows(list.afterRows?.() ?? first?.rest, rowsIn, options);
  await print(options, `${opening}${breakBefore(1)}]${end}\n`);
}

/** What is between the parts of a document: line breaks with indentation on a terminal, otherwise nothing. */
function spacingOf({ stdout }: PrintOptions) {
  const isIndented = stdout.isTTY === true;
  return {
    breakBefore: (depth: number) => (isIndented ? `\n${'  '.repeat(depth)}` : ''),
    colon: isIndented ? ': ' : ':',
  };
}

/** The document of a page. */
function withRows(rest: unknown, rowsIn: string | undefined, rows: readonly unknown[]): unknown {
  if (rowsIn === undefined) return rows;
  return { ...exactFields(rest), [rowsIn]: withExactNumbers(rows) };
}

/** The end of a document whose rows are written. */
function afterRows(rest: unknown, rowsIn: string | undefined, options: PrintOptions): string {
  if (rowsIn === undefined) return '';
  const { breakBefore, colon } = spacingOf(options);
  const members = Object.entries(exactFields(rest))
    .filter(([name]) => name !== rowsIn)
    .map(
      ([name, value]) =>
        `,${breakBefore(1)}${JSON.stringify(name)}${colon}${JSON.stringify(value)}`,
    );
  return `${escapeJson(members.join(''))}${breakBefore(0)}}`;
}
