import { pipeline, Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { UsageError } from '../../errors.ts';
import type { InputColumn, ReadColumns } from './columns.ts';
import { type InputRow, longestRow, type Rows, withBeginning } from './row.ts';

interface Header {
  readonly columns: readonly InputColumn[];
  /** The names of all of them. */
  readonly names: readonly string[];
}

/**
 * The rows of a CSV text (RFC 4180) without byte order mark. The first record is the header, from which
 * `readColumns` tells what each column gives. Empty cells give nothing; empty records are left out.
 * Throws a `UsageError` for a wrong header, and for what is not CSV.
 */
export async function* csvRows(
  text: AsyncIterable<string>,
  name: string,
  readColumns: ReadColumns,
): Rows {
  const { parser, lineAfter } = await parserOf(text, name);
  let header: Header | undefined;
  let number = 0;
  try {
    // The parser's records are lists of cells: it is given no columns.
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      if (header === undefined) {
        const names = record.map((cell) => cell.trim());
        const columns = readColumns(names, name);
        header = { columns, names: columns.map((column) => column.name) };
      } else if (record.some((cell) => cell !== '')) yield toRow(++number, record, header);
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error, lineAfter(error), name) : error;
  }
}

interface Parsing {
  readonly parser: Parser;
  /** The line in which the record begins that the parser failed at. */
  lineAfter(error: CsvError): number;
}

/** A parser that is fed the text, and fails as the text does. */
async function parserOf(text: AsyncIterable<string>, name: string): Promise<Parsing> {
  const pieces = text[Symbol.asyncIterator]();
  let beginning = '';
  while (!/[\r\n]./s.test(plainHeader(beginning))) {
    if (beginning.length > longestRow) throw longRow(`${name}: in the header`);
    const next = await pieces.next();
    if (next.done === true) break;
    beginning += next.value;
  }
  const [line = '', separator] = excelLine.exec(beginning) ?? [];
  // The parser's own count has line breaks in quotes twice where they are `\r\n`.
  let ended = line === '' ? 0 : 1;
  const parser = parse({
    on_record: (record: string[]) => {
      ended += 1 + breaksIn(record);
      return record;
    },
    ...styleOf(plainHeader(beginning), separator),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
  });
  const rest = withBeginning(beginning.slice(line.length), pieces);
  // Who reads the parser's records is told of a failure.
  pipeline(Readable.from(rest), parser, () => {});
  return { parser, lineAfter: ({ empty_lines: empty }) => ended + Number(empty ?? 0) + 1 };
}

function breaksIn(record: readonly string[]): number {
  return record.reduce(
    (sum, cell) => (/[\r\n]/.test(cell) ? sum + cell.split(/\r\n|[\r\n]/).length - 1 : sum),
    0,
  );
}

/** A first line for Excel, which reads files of other countries with it. */
const excelLine = /^sep=([,;\t|])(?:\r\n?|\n|$)/i;

/** What tells how a file is written: its beginning without a line for Excel, and without what is in quotes. */
function plainHeader(beginning: string): string {
  return beginning.replace(excelLine, '').replace(/"[^"]*"?/g, '');
}

/**
 * How a file is written, in csv-parse's words. Spreadsheets of many countries write semicolons, those
 * of old Macs a lone carriage return.
 */
function styleOf(beginning: string, separator: string | undefined) {
  const [line = ''] = beginning.split(/[\r\n]/, 1);
  return {
    delimiter: separator ?? [',', ';', '\t'].find((one) => line.includes(one)) ?? ',',
    record_delimiter: /^.*\r(?!\n)/.test(beginning) ? ['\r'] : ['\r\n', '\n'],
  };
}

function longRow(where: string): UsageError {
  return new UsageError(`${where}: a quote opens here and is not closed, or the row is too long`, {
    hint: `${aboutQuotes} A row has at most ${longestRow} characters.`,
  });
}

const aboutQuotes = 'A quote inside a quoted cell is written twice (RFC 4180).';

function notCsv(error: CsvError, line: number, name: string): UsageError {
  // The parser counts complete records, of which the first is the header: the next one is at fault.
  const records = Number(error.records ?? 0);
  const where = `${name}: ${records === 0 ? 'in the header' : `row ${records}`} (line ${line})`;
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new UsageError(`${where}: a quote opens here and is not closed`, {
        hint: aboutQuotes,
      });
    case 'CSV_MAX_RECORD_SIZE':
      return longRow(where);
    case 'CSV_INVALID_CLOSING_QUOTE':
      return new UsageError(`${where}: a quote opens here and is not closed before the next one`, {
        hint: aboutQuotes,
        cause: error,
      });
    default:
      return new UsageError(`${where}: not valid CSV: ${error.message}`, {
        hint: aboutQuotes,
        cause: error,
      });
  }
}

function toRow(number: number, record: readonly string[], { columns, names }: Header): InputRow {
  if (record.length !== columns.length) {
    return {
      number,
      problem: `has ${record.length} cells, but there are ${columns.length} columns`,
    };
  }
  const fields: Record<string, unknown> = {};
  for (const [index, { name, field }] of columns.entries()) {
    const cell = record[index];
    if (field !== undefined && gives(name, cell)) fields[field] = cell;
  }
  return {
    number,
    fields,
    scope: () => Object.assign(cellsByName(record, columns), fields),
    columns: names,
    variables: () => {
      const variables = cellsByName(record, columns, ({ isVariable }) => isVariable);
      return Object.keys(variables).length > 0 ? variables : undefined;
    },
  };
}

/** Cells that give something, of columns that may have any name, `constructor` and `__proto__` included. */
function cellsByName(
  record: readonly string[],
  columns: readonly InputColumn[],
  wanted: (column: InputColumn) => boolean = () => true,
): Record<string, unknown> {
  const cells: Record<string, unknown> = Object.create(null);
  for (const [index, column] of columns.entries()) {
    const cell = record[index];
    if (wanted(column) && gives(column.name, cell)) cells[column.name] = cell;
  }
  return cells;
}

function gives(name: string, cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '' && name !== '';
}
