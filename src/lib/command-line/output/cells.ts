import { exactText } from '../../base/json/exact-numbers.ts';
import { localTime } from '../../base/text/local-time.ts';
import { relativeTime } from '../../base/text/time-in-words.ts';
import { visible } from '../../base/text/visible.ts';
import type { CellStyle } from './cell-style.ts';
import { valueAt } from './fields.ts';
import { colorStatus } from './palette.ts';
import type { Cell, Column, Time } from './result.ts';

/** Whether a cell has a kind, which a terminal shows in a way of its own. */
export function hasKind(cell: Cell): cell is Extract<Cell, { readonly kind: string }> {
  return typeof cell === 'object' && cell !== null && 'kind' in cell;
}

/** A cell as data: times in ISO 8601, lists joined with commas, empty for null. */
export function plainCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell);
  if (!('kind' in cell)) return cell.join(', ');
  if (cell.kind === 'time') return cell.iso;
  return cell.kind === 'status' ? cell.word : cell.text;
}

/** A cell for a terminal: hidden characters escaped, statuses coloured, times relative. */
export function shownCell(cell: Cell, style: CellStyle): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (hasKind(cell)) {
    if (cell.kind === 'time') return shownTime(cell, style);
    if (cell.kind === 'status') return colorStatus(visible(cell.word), style.palette);
  }
  return visible(plainCell(cell));
}

function shownTime({ iso, seconds }: Time, style: CellStyle): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return visible(iso);
  const relative = relativeTime(date.getTime(), style.now);
  if (style.shortTimes === true) return relative;
  return `${relative}, ${style.palette.dim(localTime(date, style.timeZone, { seconds, offset: style.offsets }))}`;
}

/** Any value of a reply as a cell, for `--fields`. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  const exact = exactText(value);
  if (exact !== undefined) return exact;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  return JSON.stringify(value);
}

/** What a column shows of a row. */
export function cellIn<Row>({ field, cell }: Column<Row>, row: Row): Cell {
  return cell === undefined ? cellOf(valueAt(row, field)) : cell(row);
}

/** The column of one field of a reply, with the field's name. */
export function fieldColumn(field: string): Column<unknown> {
  return { field, header: field, flexible: true };
}
