import { pipeline, Readable } from 'node:stream';
import { CsvError, type Parser, parse } from 'csv-parse';
import { UsageError } from '../../errors.ts';
import { shortened } from '../../text/shortened.ts';
import { type InputRow, longestRow, type Rows, withBeginning } from './row.ts';

/** Fields of a send request that fit into a cell, as columns name them: without case, `-` or `_`. */
const fieldNames = [
  'to',
  'from',
  'subject',
  'templateId',
  'replyTo',
  'cc',
  'bcc',
  'text',
  'html',
  'scheduledAt',
  'inReplyToId',
] as const;

/** Fields that no cell can hold. */
const nestedFields = ['headers', 'attachments', 'variables'];

/** What a column gives to a row. */
interface Column {
  readonly name: string;
  /** The field of the request; undefined for a variable. */
  readonly field: string | undefined;
}

/**
 * The rows of a CSV text (RFC 4180) without byte order mark. The first record is the header: a column is
 * a field of a send request, or a variable. Empty cells give nothing; empty records are left out.
 * Throws a `UsageError` for a wrong header, and for what is not CSV.
 */
export async function* csvRows(text: AsyncIterable<string>, name: string): Rows {
  const parser = await parserOf(text, name);
  let columns: readonly Column[] | undefined;
  let number = 0;
  try {
    // The parser's records are lists of cells: it is given no columns.
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      if (columns === undefined) columns = readHeader(record, name);
      else if (record.some((cell) => cell !== '')) yield toRow(++number, record, columns);
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error, name) : error;
  }
}

/** A parser that is fed the text, and fails as the text does. */
async function parserOf(text: AsyncIterable<string>, name: string): Promise<Parser> {
  const pieces = text[Symbol.asyncIterator]();
  let beginning = '';
  while (!/[\r\n]./s.test(header(beginning))) {
    if (beginning.length > longestRow) throw longRow(0, name);
    const next = await pieces.next();
    if (next.done === true) break;
    beginning += next.value;
  }
  const [line = '', separator] = excelLine.exec(beginning) ?? [];
  const parser = parse({
    ...styleOf(header(beginning), separator),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
  });
  const rest = withBeginning(beginning.slice(line.length), pieces);
  // Who reads the parser's records is told of a failure.
  pipeline(Readable.from(rest), parser, () => {});
  return parser;
}

/** A first line for Excel, which reads files of other countries with it. */
const excelLine = /^sep=([,;\t|])(?:\r\n?|\n|$)/i;

/** What tells how a file is written: its beginning without a line for Excel, and without what is in quotes. */
function header(beginning: string): string {
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

function longRow(records: number, name: string): UsageError {
  return new UsageError(`${after(records, name)}: a quote is not closed, or a row is too long`, {
    hint: `A row has at most ${longestRow} characters.`,
  });
}

/** Where, after so many records; the first is the header. */
function after(records: number, name: string): string {
  return records === 0 ? `${name}: in the header` : `${name}: after row ${records - 1}`;
}

function notCsv(error: CsvError, name: string): UsageError {
  const records = Number(error.records ?? 0);
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'CSV_MAX_RECORD_SIZE':
      return longRow(records, name);
    default:
      return new UsageError(`${after(records, name)}: not valid CSV: ${error.message}`, {
        hint: 'Quotes inside a quoted cell are written twice (RFC 4180).',
        cause: error,
      });
  }
}

function readHeader(record: readonly string[], name: string): readonly Column[] {
  const names = record.map((cell) => cell.trim());
  const columns = names.map((one) => ({ name: one, field: fieldOf(one) }));
  const keys = columns.map((column) => column.field ?? column.name);
  const seen = new Set<string>();
  const twice = keys.find((key) => key !== '' && seen.size === seen.add(key).size);
  if (twice !== undefined) throw new UsageError(`${name}: two columns are named ${twice}`);
  const nested = nestedFields.find((field) => keys.includes(field));
  if (nested !== undefined) {
    throw new UsageError(`${name}: a CSV column cannot hold ${nested}`, {
      hint: 'Every other column is a template variable. For nested values, write the rows as JSON.',
    });
  }
  if (!keys.includes('to')) {
    throw new UsageError(
      `${name}: there is no column "to" in the header: ${shortened(names.join(', '))}`,
      {
        hint: 'The first line of a CSV file names the columns, such as: to,name',
      },
    );
  }
  return columns;
}

const fieldsByPlainName: ReadonlyMap<string, string> = new Map(
  fieldNames.map((field) => [plainName(field), field]),
);

function fieldOf(column: string): string | undefined {
  return fieldsByPlainName.get(plainName(column));
}

function plainName(column: string): string {
  return column.toLowerCase().replace(/[-_ ]/g, '');
}

function toRow(number: number, record: readonly string[], columns: readonly Column[]): InputRow {
  if (record.length !== columns.length) {
    return {
      number,
      problem: `has ${record.length} cells, but there are ${columns.length} columns`,
    };
  }
  const fields: Record<string, unknown> = {};
  // Columns may have any name, `constructor` and `__proto__` included.
  const scope: Record<string, unknown> = Object.create(null);
  const variables: Record<string, unknown> = Object.create(null);
  for (const [index, { name, field }] of columns.entries()) {
    const cell = record[index];
    if (cell === undefined || cell.trim() === '' || name === '') continue;
    scope[name] = cell;
    if (field === undefined) variables[name] = cell;
    else {
      fields[field] = cell;
      scope[field] = cell;
    }
  }
  const brings = Object.keys(variables).length > 0;
  return { number, fields, scope, variables: brings ? variables : undefined };
}
