import Table from 'cli-table3';
import stringWidth from 'string-width';
import { type CellStyle, shownCell } from './cells.ts';
import type { Cell } from './result.ts';

export interface TableColumn {
  readonly header: string;
  readonly flexible?: boolean;
}

/** Blank columns between two columns. */
const gap = 2;
const narrowest = 6;

/**
 * Renders pages of one table: the header once, and columns that stay where they are. They only
 * grow, from the page on that has wider values, as if all rows so far stood on one page.
 */
export interface TableRenderer {
  render(rows: readonly (readonly Cell[])[]): string;
}

/**
 * A table without borders that fits into `width` columns: times lose their local part first, then
 * flexible columns give way, then the widest, with `…` where text was cut.
 */
export function createTable(
  columns: readonly TableColumn[],
  style: CellStyle,
  width: number,
): TableRenderer {
  let layout: Layout | undefined;
  return {
    render(rows) {
      const first = layout === undefined;
      layout =
        layout === undefined
          ? layOut(columns, rows, style, width)
          : widened(layout, columns, rows, width);
      const { widths, style: fitted } = layout;
      const table = new Table({
        chars: borderless,
        style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
        colWidths: [...widths],
        truncate: '…',
        ...(first
          ? { head: columns.map(({ header }) => style.palette.bold(header.toUpperCase())) }
          : {}),
      });
      for (const row of rows) table.push(row.map((cell) => shownCell(cell, fitted)));
      const text = table.toString();
      return `${text.replace(/[ \t]+$/gm, '')}\n`;
    },
  };
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
  const full = naturalWidths(columns, rows, style);
  if (total(full) <= width) return { widths: full, style };
  const short = { ...style, shortTimes: true };
  const widths = naturalWidths(columns, rows, short);
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
  const natural = naturalWidths(columns, rows, style);
  const wider = widths.map((size, index) => Math.max(size, natural[index] ?? size));
  shrink(wider, columns, width);
  return { widths: wider, style };
}

function naturalWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  style: CellStyle,
): number[] {
  return columns.map(({ header }, index) =>
    Math.max(
      stringWidth(header),
      1,
      ...rows.map((row) => stringWidth(shownCell(row[index], style))),
    ),
  );
}

/** Takes width away, one column at a time from the widest, until all fit or nothing can give. */
function shrink(widths: number[], columns: readonly TableColumn[], width: number): void {
  for (const flexibleOnly of [true, false]) {
    for (;;) {
      const excess = total(widths) - width;
      if (excess <= 0) return;
      const candidates = widths
        .map((size, index) => ({ size, index }))
        .filter(
          ({ size, index }) =>
            size > narrowest && (!flexibleOnly || columns[index]?.flexible === true),
        )
        .sort((a, b) => b.size - a.size);
      const [widest, next] = candidates;
      if (widest === undefined) break;
      const floor = Math.max(next?.size ?? narrowest, narrowest);
      const cut = Math.min(excess, Math.max(widest.size - floor, 1));
      widths[widest.index] = widest.size - cut;
    }
  }
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, 0) + gap * (widths.length - 1);
}
