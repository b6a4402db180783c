import { CsvError, type Parser, parse } from 'csv-parse';
import { UsageError } from '../../errors.ts';
import { type InputRow, longestRow, type RowGroups } from './row.ts';

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
 * The rows of a CSV text (RFC 4180; a byte order mark is gone already). The first record is the
 * header. A column is a field of a send request, or a variable. An empty cell gives nothing, so
 * that a template sees that the value is missing. Records with only empty cells are left out.
 *
 * Throws a `UsageError` for a header that cannot be one, and for what is not CSV at all.
 */
export async function* csvRows(text: AsyncIterable<string>, name: string): RowGroups {
  let columns: readonly Column[] | undefined;
  let number = 0;
  for await (const records of recordsOf(text, name)) {
    const rows: InputRow[] = [];
    for (const record of records) {
      if (columns === undefined) {
        columns = readHeader(record, name);
        continue;
      }
      if (record.every((cell) => cell === '')) continue;
      number++;
      rows.push(toRow(number, record, columns));
    }
    yield rows;
  }
}

/** Records in groups, as they become complete. */
async function* recordsOf(text: AsyncIterable<string>, name: string): AsyncGenerator<string[][]> {
  let parser: Parser | undefined;
  let records: string[][] = [];
  let failure: unknown;
  let done = 0;
  const take = () => {
    const taken = records;
    records = [];
    done += taken.length;
    return taken;
  };
  for await (const piece of text) {
    parser ??= startParser(piece);
    if (parser.listenerCount('readable') === 0) {
      const from = parser;
      from.on('readable', () => {
        for (let record = from.read(); record !== null; record = from.read()) records.push(record);
      });
      from.on('error', (error) => {
        failure = error;
      });
    }
    await written(parser, piece);
    if (failure !== undefined) throw notCsv(failure, done + records.length, name);
    yield take();
  }
  if (parser === undefined) return;
  await ended(parser);
  if (failure !== undefined) throw notCsv(failure, done + records.length, name);
  yield take();
}

function startParser(beginning: string): Parser {
  return parse({
    delimiter: delimiterOf(beginning),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
  });
}

/** Spreadsheets of many countries write semicolons. What is not in quotes in the header tells. */
function delimiterOf(beginning: string): string {
  const [header = ''] = beginning.replace(/"[^"]*"?/g, '').split(/[\r\n]/, 1);
  return [',', ';', '\t'].find((one) => header.includes(one)) ?? ',';
}

async function written(parser: Parser, piece: string): Promise<void> {
  await new Promise<void>((resolve) => {
    parser.write(piece, () => resolve());
  });
}

async function ended(parser: Parser): Promise<void> {
  await new Promise<void>((resolve) => {
    parser.once('close', resolve);
    parser.end();
  });
}

function notCsv(error: unknown, records: number, name: string): UsageError {
  const where = `${name}: after row ${Math.max(records - 1, 0)}`;
  if (!(error instanceof CsvError)) {
    return new UsageError(`${where}: ${String(error)}`, { cause: error });
  }
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'CSV_MAX_RECORD_SIZE':
      return new UsageError(`${where}: a quote that is not closed, or a row that is too long`, {
        hint: `A row has at most ${longestRow} characters.`,
        cause: error,
      });
    default:
      return new UsageError(`${where} it is not CSV: ${error.message}`, {
        hint: 'Quotes inside a quoted cell are written twice (RFC 4180).',
        cause: error,
      });
  }
}

function readHeader(record: readonly string[], name: string): readonly Column[] {
  const names = record.map((cell) => cell.trim());
  const columns = names.map((one) => ({ name: one, field: fieldOf(one) }));
  const keys = columns.map((column) => column.field ?? column.name);
  const twice = keys.find((key, index) => key !== '' && keys.indexOf(key) !== index);
  if (twice !== undefined) throw new UsageError(`${name}: two columns are named ${twice}`);
  const nested = nestedFields.find((field) => keys.includes(field));
  if (nested !== undefined) {
    throw new UsageError(`${name}: a CSV column cannot hold ${nested}`, {
      hint: 'Other columns are variables by themselves; or write the rows as JSON.',
    });
  }
  if (!keys.includes('to')) {
    throw new UsageError(`${name}: there is no column "to" in its header: ${names.join(', ')}`, {
      hint: 'The first line of a CSV file names the columns, such as: to,name',
    });
  }
  return columns;
}

function fieldOf(column: string): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_ ]/g, '');
  return fieldNames.find((field) => plain(field) === plain(column));
}

function toRow(number: number, record: readonly string[], columns: readonly Column[]): InputRow {
  if (record.length !== columns.length) {
    return {
      number,
      problem: `has ${record.length} cells, but there are ${columns.length} columns`,
    };
  }
  const fields: Record<string, unknown> = {};
  const scope: Record<string, unknown> = Object.create(null);
  let variables: Record<string, unknown> | undefined;
  for (const [index, { name, field }] of columns.entries()) {
    const cell = record[index];
    if (cell === undefined || cell.trim() === '' || name === '') continue;
    scope[name] = cell;
    if (field !== undefined) {
      fields[field] = cell;
      scope[field] = cell;
    } else {
      variables ??= Object.create(null) as Record<string, unknown>;
      variables[name] = cell;
    }
  }
  return { number, fields, scope, variables };
}
