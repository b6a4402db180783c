import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cut, folded } from '../../base/text/flow.ts';
import type { CellStyle } from './cell-style.ts';
import { shownCell } from './cells.ts';
import type { Cell, Column } from './result.ts';

type TableColumn = Pick<Column<unknown>, 'header' | 'flexible' | 'folds'>;

/** Blank columns between two columns. */
const gap = 2;
const narrowest = 6;
/** No terminal is wider. Rows are padded to the widest one, so more would cost memory. */
const widest = 10_000;

/**
 * A table without borders that fits into `terminalWidth` columns. Times lose their local part
 * first, then flexible columns become narrower, then the widest. Text is cut with `…` unless it
 * folds. The returned function renders pages of it: the header once; columns never become narrower.
 */
export function createTable(
  columns: readonly TableColumn[],
  style: CellStyle,
  terminalWidth: number,
  hasHeader = true,
): (rows: readonly (readonly Cell[])[]) => string {
  const width = Math.min(terminalWidth, widest);
  let layout: Layout | undefined;
  return (rows) => {
    const first = layout === undefined;
    layout =
      layout === undefined
        ? layOut(columns, rows, style, width)
        : widened(layout, columns, rows, width);
    const { widths, style: fitted } = layout;
    // Cut here: cli-table3 would measure again for each character that it cuts.
    const cells = rows.map((row) =>
      widths.map((size, index) => {
        const text = shownCell(row[index], fitted);
        return columns[index]?.folds === true ? folded(text, size) : cut(text, size);
      }),
    );
    if (first && hasHeader) {
      const titles = columns.map(({ header }) => header.toUpperCase());
      cells.unshift(
        titles.map((title, index) => style.palette.bold(cut(title, widths[index] ?? 0))),
      );
    }
    let text = '';
    for (let start = 0; start < cells.length; start += together) {
      text += rowsAsText(cells.slice(start, start + together), widths);
    }
    return text;
  };
}

/** Rows that cli-table3 gets at once. It takes many kilobytes for each. */
const together = 20;

function rowsAsText(rows: readonly string[][], widths: readonly number[]): string {
  const table = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colWidths: [...widths],
  });
  table.push(...rows);
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

const sides =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const borderless = {
  ...Object.fromEntries(sides.split(' ').map((side) => [side, ''])),
  middle: ' '.repeat(gap),
};

interface Layout {
  readonly widths: readonly number[];
  readonly style: CellStyle;
}

function layOut(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  style: CellStyle,
  width: number,
): Layout {
  const full = naturalWidths(columns, rows, style, width);
  if (total(full) <= width) return { widths: full, style };
  const short = { ...style, shortTimes: true };
  const widths = naturalWidths(columns, rows, short, width);
  shrink(widths, columns, width);
  return { widths, style: short };
}

/** The layout with enough width for these rows, too. */
function widened(
  { widths, style }: Layout,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  width: number,
): Layout {
  const natural = naturalWidths(columns, rows, style, width);
  const wider = widths.map((size, index) => Math.max(size, natural[index] ?? size));
  shrink(wider, columns, width);
  return { widths: wider, style };
}

/** The width of each column, up to `width`: measuring megabytes of text takes minutes. */
function naturalWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  style: CellStyle,
  width: number,
): number[] {
  return columns.map(({ header }, index) =>
    rows.reduce(
      (most, row) => Math.max(most, stringWidth(cut(shownCell(row[index], style), width))),
      Math.max(stringWidth(header), 1),
    ),
  );
}

/** Reduces the widths, the widest first, until all fit or nothing can be reduced. */
function shrink(widths: number[], columns: readonly TableColumn[], width: number): void {
  for (const flexibleOnly of [true, false]) {
    const giving = [...widths.keys()].filter(
      (index) => !flexibleOnly || columns[index]?.flexible === true,
    );
    const sizes = giving.map((index) => widths[index] ?? 0);
    const excess = total(widths) - width;
    if (excess <= 0) return;
    const level = levelFor(sizes, excess);
    // Cutting to a level may take too much: the last columns get it back, one each.
    let spare = sumOver(sizes, level) - excess;
    for (const index of giving.toReversed()) {
      const size = widths[index] ?? 0;
      if (size <= level) continue;
      widths[index] = spare > 0 ? level + 1 : level;
      spare--;
    }
  }
}

/** The level to cut the sizes to so that they lose `excess` in total; never below `narrowest`. */
function levelFor(sizes: readonly number[], excess: number): number {
  let low = narrowest;
  let high = Math.max(narrowest, ...sizes);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sumOver(sizes, middle) >= excess) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The sum of what is above a level. */
function sumOver(sizes: readonly number[], level: number): number {
  return sizes.reduce((sum, size) => sum + Math.max(size - level, 0), 0);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, 0) + gap * (widths.length - 1);
}
