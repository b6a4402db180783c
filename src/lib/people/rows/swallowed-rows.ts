import { isMailbox, trimAddress } from '../../../api/address.ts';
import { UsageError } from '../../base/errors.ts';
import { posix } from '../../base/files/foreign.ts';
import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import { shortened } from '../../base/text/shortened.ts';

/** How the rows of a CSV file look. */
export interface RowStyle {
  readonly names: readonly string[];
  /** The column of the addresses; -1 if it is not known. */
  readonly address: number;
  readonly delimiter: string;
  /** Whether a blank follows each separator, as in texts. */
  readonly isSpaced: boolean;
  /** Columns that are a text, whatever it looks like. */
  readonly texts: ReadonlySet<string>;
}

/**
 * Throws a `UsageError` if a cell has a line that looks like a row: a quote that nobody meant has opened it, and the next
 * one, lines later, closes it. `where` is the record, in words.
 */
export function refuseSwallowed(
  record: readonly string[],
  style: RowStyle,
  where: string,
  system: ShellSystem = posix,
): void {
  const { names, address, texts } = style;
  for (const [column, cell] of record.entries()) {
    const name = names[column] ?? '';
    const line = texts.has(name) ? undefined : rowIn(cell, column, record.length, style);
    if (line === undefined) continue;
    const isText = column === address || name === '' || where.endsWith('header');
    const ignore = shellQuote(['--ignore-column', name], system);
    throw new UsageError(
      `${where}: a cell has several lines, of which one looks like a row: ${JSON.stringify(shortened(line, 80))}`,
      {
        hint: `Nothing was sent. There may be two quotes too many: the one that opens the cell, and the one that closes it. A quote inside a quoted cell is written twice (RFC 4180).${isText ? '' : `\nIf the cell is one text: ${ignore}`}`,
      },
    );
  }
}

/** The line of a cell that has an address where rows have it, and as many cells. */
function rowIn(
  cell: string,
  column: number,
  cells: number,
  { names, address, delimiter, isSpaced }: RowStyle,
): string | undefined {
  const lines = cell.split(/\r\n|[\r\n]/);
  const all = names.length;
  if (lines.length < 2 || all < 2) return undefined;
  // The first line lacks the cells before, and the last one those behind.
  const last = column + all - cells + 1;
  return lines.find((line, index) => {
    const some = line.split(delimiter);
    if (!isSpaced && some.slice(1).some((one) => one.startsWith(' '))) return false;
    if (index === 0)
      return address > column && some.length === all - column && has(some, address - column);
    const isWhole = index < lines.length - 1 ? some.length >= all : some.length === last;
    return isWhole && some.length > 1 && has(some, address);
  });
}

function has(cells: readonly string[], address: number): boolean {
  const some = address < 0 ? cells : cells.slice(address, address + 1);
  return some.some((cell) => isMailbox(trimAddress(cell)));
}
