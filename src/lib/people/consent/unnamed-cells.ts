import { UsageError } from '../../base/errors.ts';
import { quantity } from '../../base/text/quantity.ts';
import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import { shortened } from '../../base/text/shortened.ts';
import { consentValue, isDenial } from './cell.ts';

interface Unnamed {
  /** The first cell, and its row. */
  readonly cell: string;
  readonly row: number;
  rows: number;
  /** A cell that is an address, and one that says no. */
  address?: string;
  denial?: string;
  /** Whether each cell is an answer, such as yes or unsubscribed. */
  isAnswers: boolean;
}

/** Values that say nothing about wanting email where no name asks for it. */
const data: readonly string[] = ['date', 'none', 'other'];

/**
 * Collects cells under an empty header, which nothing can name: spreadsheets write empty columns, but a column with
 * cells has most often lost its name.
 */
export function createUnnamedCells() {
  const columns = new Map<number, Unnamed>();
  return {
    take(row: number, cells: ReadonlyMap<number, string>): void {
      for (const [number, cell] of cells) {
        const column = columns.get(number) ?? { cell, row, rows: 0, isAnswers: true };
        columns.set(number, column);
        column.rows++;
        if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell.trim())) column.address ??= cell;
        if (isDenial(cell)) column.denial ??= cell;
        column.isAnswers &&= !data.includes(consentValue(cell));
      }
    },
    /** Throws a `UsageError` if such cells may be addresses, or say who wants email. */
    refuse(file: string, system: ShellSystem): void {
      const lines = [...columns].flatMap(([number, { address, denial, isAnswers, cell }]) => {
        const about = `${file}: column ${number} has no name, and may`;
        if (address !== undefined) return `${about} have addresses, such as ${shown(address)}.`;
        const answer = denial ?? (isAnswers ? cell : undefined);
        return answer === undefined ? [] : `${about} say who wants email: ${shown(answer)}.`;
      });
      if (lines.length === 0) return;
      throw new UsageError(lines.join('\n'), {
        hint: `Nothing was sent. Name the column in the first line of the file.\nTo leave out all columns without a name: ${shellQuote(['--ignore-column', ''], system)}`,
      });
    },
    /** What is left out, in words, a line for each column. */
    leftOut: (): readonly string[] =>
      [...columns].map(
        ([number, { cell, row, rows }]) =>
          `Column ${number} has no name, so its cells in ${quantity(rows, 'row')} are not used, such as ${shown(cell)} in row ${row}.`,
      ),
  };
}

function shown(cell: string): string {
  return JSON.stringify(shortened(cell, 40));
}
