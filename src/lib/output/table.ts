import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cut, folded } from '../text/flow.ts';
import type { CellStyle } from './cell-style.ts';
import { shownCell } from './cells.ts';
import type { Cell } from './result.ts';

export interface TableColumn {
  readonly header: string;
  readonly flexible?: boolean;
  readonly folds?: boolean;
}

/** Blank columns between two columns. */
const gap = 2;
const narrowest = 6;
/** No terminal is wider. Each row is filled up to the widest one, so wider ones take memory. */
const widest = 10_000;

/** Renders pages of one table: the header once, and columns that stay where they are or grow. */
export interface TableRenderer {
  render(rows: readonly (readonly Cell[])[]): string;
}

/**
 * A table without borders that fits into `terminalWidth` columns: times lose their local part
 * first, then flexible columns give way, then the widest, with `…` where text was cut that does not fold.
 */
export function createTable(
  columns: readonly TableColumn[],
  style: CellStyle,
  terminalWidth: number,
  hasHeader = true,
): TableRenderer {
  const width = Math.min(terminalWidth, widest);
  let layout: Layout | undefined;
  return {
    render(rows) {
      const first = layout === undefined;
      layout =
        layout === undefined
          ? layOut(columns, rows, style, width)
          : widened(layout, columns, rows, width);
      const { widths, style: fitted } = layout;
      // Cut here: what cli-table3 cuts, it measures anew for each character.
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
    },
  };
}

/** Rows that cli-table3 gets at once: it takes many kilobytes for each. */
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

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
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

/** The layout with room for these rows too. */
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

/** How wide the columns are, up to `width`: measuring all of a text of megabytes takes minutes. */
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

/** Takes width away, from the widest first, until all fit or nothing can give. */
function shrink(widths: number[], columns: readonly TableColumn[], width: number): void {
  for (const flexibleOnly of [true, false]) {
    const giving = [...widths.keys()].filter(
      (index) => !flexibleOnly || columns[index]?.flexible === true,
    );
    const sizes = giving.map((index) => widths[index] ?? 0);
    const excess = total(widths) - width;
    if (excess <= 0) return;
    const level = levelFor(sizes, excess);
    // What is one column more than enough stays with the last.
    let spare = sumOver(sizes, level) - excess;
    for (const index of giving.toReversed()) {
      const size = widths[index] ?? 0;
      if (size <= level) continue;
      widths[index] = spare > 0 ? level + 1 : level;
      spare--;
    }
  }
}

/** The most that each size may be so that they give up `excess` together; never below `narrowest`. */
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

/** How much the sizes have above a level. */
function sumOver(sizes: readonly number[], level: number): number {
  return sizes.reduce((sum, size) => sum + Math.max(size - level, 0), 0);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, 0) + gap * (widths.length - 1);
}
