import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAll } from 'csv-parse/sync';
import { attempt } from '../../../shared/attempt.ts';
import { UsageError } from '../../base/errors.ts';
import { isAddressName } from '../../base/text/column-names.ts';
import type { InputColumn, ReadColumns } from './columns.ts';
import { isUsualName } from './email-columns.ts';
import { type NamedFile, refuseLateHeader, refuseNoHeader } from './header.ts';
import { type InputRow, type IsLeftOut, longestRow, type Rows, withBeginning } from './row.ts';
import { type RowStyle, refuseSwallowed } from './swallowed-rows.ts';

interface Header {
  readonly columns: readonly InputColumn[];
  /** How many cells a row has, and which of them belong to these columns. */
  readonly cells: number;
  readonly kept: readonly number[];
  /** The names of these columns. */
  readonly names: readonly string[];
  readonly fieldColumns: ReadonlyMap<string, string>;
}

/**
 * The rows of a CSV text (RFC 4180) without byte order mark. The first record is the header, from which
 * `readColumns` tells what each column provides. Empty cells provide no value; empty records are skipped.
 * Throws a `UsageError` for a missing or wrong header and for invalid CSV.
 */
export async function* csvRows(
  text: AsyncIterable<string>,
  file: NamedFile,
  readColumns: ReadColumns,
  isLeftOut?: IsLeftOut,
): Rows {
  const { name } = file;
  const { parser, beginning, delimiter, isSpaced, hasBreaks, lineAfter, first } = await parserOf(
    text,
    name,
  );
  let header: Header | undefined;
  let style: RowStyle | undefined;
  let number = 0;
  try {
    // The parser's records are lists of cells, because it is given no columns.
    for await (const read of parser as AsyncIterable<readonly string[]>) {
      const record = read.some((cell) => cell.startsWith('="')) ? read.map(plainText) : read;
      if (header === undefined) {
        const all = record.map((cell) => cell.trim());
        refuseNoHeader(all, delimiter, file);
        if (!excelLine.test(beginning)) refuseLateHeader(beginning, file);
        style = { names: all, address: -1, delimiter, isSpaced, texts: new Set() };
        refuseSwallowed(all, style, `${name}: in the header`);
        const kept = [...all.keys()].filter((index) => isLeftOut?.(all[index] ?? '') !== true);
        const ofKept = (cells: readonly string[]) => kept.map((index) => cells[index] ?? '');
        const columns = readColumns(ofKept(all), name, () => first().map(ofKept));
        header = {
          columns,
          cells: all.length,
          kept,
          names: columns.map((column) => column.name),
          fieldColumns: new Map(
            columns.flatMap(({ field, name }) => (field === undefined ? [] : [[field, name]])),
          ),
        };
        const at = columns.findIndex(({ field }) => field === 'email' || field === 'to');
        const texts = columns.filter(({ isText }) => isText).map((column) => column.name);
        style = { ...style, address: kept[at] ?? -1, texts: new Set(texts) };
      } else if (record.some((cell) => cell !== '')) {
        number++;
        if (style && hasBreaks(record)) {
          refuseSwallowed(record, style, `${name}: row ${number}`, file.system);
        }
        yield toRow(number, record, header);
      }
    }
  } catch (error) {
    throw error instanceof CsvError ? notCsv(error, lineAfter(error), name) : error;
  }
}

/** A cell without the formula by which spreadsheets keep a text such as 00123: `="00123"`. */
function plainText(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;
}

/** Creates a parser that reads the text, and fails if the text does. */
async function parserOf(text: AsyncIterable<string>, name: string) {
  const pieces = text[Symbol.asyncIterator]();
  let beginning = '';
  while (!/[\r\n]./s.test(plainHeader(beginning))) {
    if (beginning.length > longestRow) throw longRow(`${name}: in the header`);
    const next = await pieces.next();
    if (next.done === true) break;
    beginning += next.value;
  }
  const [line = '', separator] = excelLine.exec(beginning) ?? [];
  // Not the parser's own count: it counts `\r\n` in quotes twice.
  let ended = line === '' ? 0 : 1;
  const broken = new WeakSet<readonly string[]>();
  const style = {
    ...styleOf(beginning.slice(line.length), separator),
    // Spaces around quotes are no part of a cell, whatever RFC 4180 says: nobody means them.
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
  };
  const parser = parse({
    on_record: (record: string[]) => {
      const breaks = breaksIn(record);
      ended += 1 + breaks;
      if (breaks > 0) broken.add(record);
      return record;
    },
    ...style,
    max_record_size: longestRow,
  });
  const rest = withBeginning(beginning.slice(line.length), pieces);
  // Whoever reads the parser's records gets the error.
  pipeline(Readable.from(rest), parser, () => {});
  return {
    parser,
    beginning,
    delimiter: style.delimiter,
    /** Whether a blank follows each separator of the header. */
    isSpaced:
      plainHeader(beginning)
        .split(/[\r\n]/, 1)[0]
        ?.includes(`${style.delimiter} `) === true,
    hasBreaks: (record: readonly string[]) => broken.has(record),
    /** What was read with the header; the last record may be cut off. */
    first: () =>
      attempt(() => parseAll(beginning.slice(line.length), { ...style, to: 100 }), []).slice(1),
    /** The line in which the record begins where the parser failed. */
    lineAfter: ({ empty_lines: empty }: CsvError) => ended + Number(empty ?? 0) + 1,
  };
}

function breaksIn(record: readonly string[]): number {
  return record.reduce(
    (sum, cell) => (/[\r\n]/.test(cell) ? sum + cell.split(/\r\n|[\r\n]/).length - 1 : sum),
    0,
  );
}

/** A first line that tells Excel which separator a file from another country uses. */
const excelLine = /^sep=([,;\t|])(?:\r\n?|\n|$)/i;

/** The part of a beginning that shows the style of a file: without a line for Excel and text in quotes. */
function plainHeader(beginning: string): string {
  return beginning.replace(excelLine, '').replace(/"[^"]*"?/g, '');
}

/** What separates columns, the more usual one first. */
const separators = [',', ';', '\t', '|'];

/**
 * The style of a file, as options of csv-parse. Spreadsheets in many countries write semicolons, old Macs a lone
 * carriage return, and Python on Windows two of them and a line feed. The separator is the one that makes columns of
 * usual names, because others may stand in names.
 */
function styleOf(beginning: string, separator: string | undefined) {
  const text = beginning.replace(/"([^"]*)"?/g, (_, name: string) => name.replace(/[,;|\s]/g, ' '));
  const [line = ''] = text.split(/[\r\n]/, 1);
  // A column of addresses tells more than any number of names, which may stand in other cells.
  const usual = (one: string) => {
    const names = line.split(one).map((name) => name.trim());
    return (names.some(isAddressName) ? line.length : 0) + names.filter(isUsualName).length;
  };
  const candidates = separators.filter((one) => line.includes(one));
  const most = Math.max(...candidates.map(usual));
  return {
    delimiter: separator ?? candidates.find((one) => usual(one) === most) ?? ',',
    record_delimiter: /^.*\r(?!\r?\n)/.test(text) ? ['\r'] : ['\r\r\n', '\r\n', '\n'],
  };
}

function longRow(where: string): UsageError {
  return new UsageError(`${where}: a quote opens here and is not closed, or the row is too long`, {
    hint: `${aboutQuotes} A row has at most ${longestRow} characters.`,
  });
}

const aboutQuotes = 'A quote inside a quoted cell is written twice (RFC 4180).';

function notCsv(error: CsvError, line: number, name: string): UsageError {
  // The parser counts complete records, the header included: the next record is at fault.
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

function toRow(
  number: number,
  row: readonly string[],
  { columns, cells, kept, names, fieldColumns }: Header,
): InputRow {
  // Spreadsheets write empty cells beside the table.
  const isPadded = row.slice(cells).every((cell) => cell.trim() === '');
  const length = isPadded ? Math.min(row.length, cells) : row.length;
  if (length !== cells) {
    const problem = `has ${length} cells, but there are ${cells} columns`;
    return { number, problem, texts: row.filter((cell) => cell !== '') };
  }
  const record = kept.length < row.length ? kept.map((index) => row[index] ?? '') : row;
  const fields: Record<string, unknown> = {};
  columns.forEach(({ name, field }, index) => {
    const cell = record[index];
    if (field !== undefined && gives(name, cell)) fields[field] = cell;
  });
  return {
    number,
    fields,
    fieldColumns,
    unnamed: columns.some(({ name }) => name === '') ? unnamedIn(record, columns) : undefined,
    scope: () => Object.assign(cellsByName(record, columns), fields),
    columns: names,
    variables: () => {
      const variables = cellsByName(record, columns, ({ isVariable }) => isVariable);
      return Object.keys(variables).length > 0 ? variables : undefined;
    },
  };
}

/** Cells under an empty header, by the number of their column. */
function unnamedIn(
  record: readonly string[],
  columns: readonly InputColumn[],
): ReadonlyMap<number, string> | undefined {
  const cells = record.flatMap((cell, index) =>
    columns[index]?.name === '' && cell.trim() !== '' ? [[index + 1, cell] as const] : [],
  );
  return cells.length === 0 ? undefined : new Map(cells);
}

/** Cells that are not empty. Columns may have any name, even `constructor` and `__proto__`. */
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
