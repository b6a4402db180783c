import { CsvError, parse } from 'csv-parse/sync';
import { mailboxParts, trimAddress } from '../../../api/address.ts';
import { UsageError } from '../errors.ts';
import { isAddressName } from '../text/column-names.ts';
import { visible } from '../text/visible.ts';
import { splitList } from './addresses.ts';
import type { InputFiles } from './input-files.ts';
import { type OtherColumns, otherColumns } from './other-columns.ts';

/** What the column of addresses may be called, as lists of this program and of others name it. */
const headers = /^(to|affected|recipients?|(e-?)?mails?( address)?|address(es)?|contacts?)$/i;

/** A cell that may have addresses, and its line. */
interface Cell {
  readonly text: string;
  readonly line: number;
}

/**
 * The addresses of a file, each once, without names: one or several a line, as `email list` prints them and people
 * write them, or a column of a table or of CSV. Empty lines and lines with `#` do not count. Throws a `UsageError`
 * with the line for anything else, and for several recipients of one email or several columns with addresses, of which
 * perhaps only one is meant.
 * `isEntry` tells what counts besides a mailbox, such as a pattern; `see` is called with the cells of each row below a
 * header, by their columns.
 */
export async function readAddressList(
  files: Pick<InputFiles, 'readText'>,
  path: string,
  flag: string,
  isEntry: (text: string) => boolean = () => false,
  see: (cells: Readonly<Record<string, string>>) => void = () => {},
): Promise<readonly string[]> {
  const text = await files.readText(path, flag);
  const others = otherColumns();
  const { header, cells } = cellsOf(text, flag, others, see);
  const found = new Set<string>();
  for (const { text, line } of cells) {
    const value = text.trim();
    if (value === '' || value.startsWith('#')) continue;
    const entries = splitList(value);
    if (header?.toLowerCase() === 'to' && entries.length > 1) {
      throw new UsageError(
        `${flag}: line ${line} has the recipients of an email to several people: "${visible(value.slice(0, 80))}"`,
        {
          hint: 'Nothing was changed. With --fields affected instead of to, mailer email list names only those for whom it failed, and who complained. If all are meant, leave out the header "to".',
        },
      );
    }
    for (const entry of entries) {
      const address =
        mailboxParts(trimAddress(entry))?.address ??
        (isEntry(entry.trim()) ? entry.trim() : undefined);
      if (address === undefined) {
        throw new UsageError(
          `${flag}: line ${line} has no address: "${visible(unquoted(entry.trim()).slice(0, 80))}"`,
          {
            hint: 'Nothing was changed. Give one address per line, for example with --fields email, or CSV with a column called email.',
          },
        );
      }
      found.add(address);
    }
  }
  others.refuse(header ?? 'column 1', found, flag);
  return [...found];
}

/**
 * The cells below a header that names a column of addresses, or the first column of each line; `others` sees those of
 * the other columns.
 */
function cellsOf(
  text: string,
  flag: string,
  others: OtherColumns,
  see: (cells: Readonly<Record<string, string>>) => void,
): { readonly header?: string; readonly cells: readonly Cell[] } {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => !/^\s*($|#|sep=.$)/.test(line));
  const line = lines[first] ?? '';
  for (const delimiter of separators.filter((one) => line.includes(one) && !line.includes('@'))) {
    const names = recordsOf(line, delimiter, flag)[0]?.record ?? [];
    const column = addressColumn(names);
    const header = names[column];
    if (header === undefined) continue;
    const cells = recordsOf(lines.slice(first + 1).join('\n'), delimiter, flag).map(
      ({ record, info }) => {
        const at = first + 1 + info.lines;
        // A row with more cells has a comma too many: each cell counts.
        if (record.length > names.length) return { text: record.join(', '), line: at };
        seeOthers(others, record, column, (index) => names[index] ?? '');
        see(Object.fromEntries(names.map((name, index) => [name, unquoted(record[index] ?? '')])));
        return { text: unquoted(record[column] ?? ''), line: at };
      },
    );
    return { header, cells };
  }
  const cellsIn = (one: string) => one.split('\t').map((cell) => unquoted(cell.trim()));
  const [header = ''] = cellsIn(line);
  const isHeader = addressColumn([header]) === 0;
  const cells = lines.map((one, index) => {
    const [text = '', ...more] = cellsIn(one);
    if (!text.startsWith('#')) seeOthers(others, [text, ...more], 0, (at) => `column ${at + 1}`);
    return { text, line: index + 1 };
  });
  return isHeader ? { header, cells: cells.slice(first + 1) } : { cells };
}

function seeOthers(
  others: OtherColumns,
  record: readonly string[],
  column: number,
  nameOf: (index: number) => string,
): void {
  for (const [index, cell] of record.entries()) {
    if (index !== column) others.see(nameOf(index), unquoted(cell));
  }
}

const separators = [',', ';', '\t', '|'];

/** The column of addresses by its name: the first one that says so, else the first one, else the only one that may. */
function addressColumn(names: readonly string[]): number {
  const certain = names.findIndex(isAddressName);
  if (certain !== -1) return certain;
  const likely = names.flatMap((name, index) => (headers.test(name) ? [index] : []));
  return likely.length === 1 || likely[0] === 0 ? (likely[0] ?? -1) : -1;
}

/** The records of CSV, however many cells each has. In tables with tabs, quotes mean nothing. */
function recordsOf(text: string, delimiter: string, flag: string) {
  try {
    return parse(text, {
      ...{ delimiter, quote: delimiter === '\t' ? false : '"' },
      ...{ info: true, trim: true, skip_empty_lines: true },
      ...{ relax_column_count: true, relax_quotes: true },
    }) as unknown as readonly CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`${flag}: not valid CSV: ${error.message}`);
  }
}

/** What csv-parse makes of a record with the option `info`, which its types do not tell. */
interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A cell of CSV in quotes, as one with a comma is written; any other value as it is. */
function unquoted(value: string): string {
  return value.replace(/^"((?:[^"]|"")*)"$/, (_, cell: string) => cell.replaceAll('""', '"'));
}
