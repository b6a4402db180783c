import { cut } from '../../base/text/flow.ts';
import { visible } from '../../base/text/visible.ts';
import type { CellStyle } from '../output/cell-style.ts';

/** The value of one day. */
export interface DayValue {
  /** As the service writes it. */
  readonly date: string;
  readonly value: number | null | undefined;
}

interface DayPlot {
  readonly title: string;
  /** The unit after numbers of the scale, such as `%`. */
  readonly unit: string;
}

const widest = 100;
/** The fewest columns for the bars. */
const narrowest = 24;
/** The most columns for one day. */
const widestDay = 6;
/** Rows for the bars: an even number, so that half the scale falls on a row. */
const height = 6;
/** Larger values are not drawn: the scale has no room for their numbers. */
const mostDrawn = 1e12;
const eighths = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** Ends of the scale, times a power of ten, chosen so that half of each is a round number too. */
const tops = [1, 2, 4, 6, 8, 10];

/**
 * Lines with a bar for each day, oldest first, at most `width` and never more than 100 columns wide. Empty
 * if there is nothing to draw or no room. If there are too many days, shows the newest.
 */
export function plotDays(
  all: readonly DayValue[],
  { title, unit }: DayPlot,
  { palette }: CellStyle,
  width: number,
): string[] {
  const most = all.reduce((so, { value }) => Math.max(so, drawable(value) ?? 0), 0);
  // Numbers without a unit are counts, so half the scale must be a whole number.
  const top = most > 0 && unit === '' ? Math.max(2, topOf(most)) : topOf(most);
  const scale = new Map(
    [0, height / 2, height].map((row) => [row, `${(top * row) / height}${unit}`]),
  );
  const gutter = Math.max(...[...scale.values()].map(({ length }) => length));
  const columns = Math.min(width, widest) - gutter - 2;
  if (top === 0 || columns < narrowest) return [];
  const days = all.slice(-columns);
  const ofDay = Math.max(1, Math.min(widestDay, Math.floor(columns / days.length)));
  const rows = Array.from({ length: height }, (_, index) => {
    const row = height - index;
    const edge = scale.has(row) ? '┤' : '│';
    const bars = days.map(({ value }) => {
      const filled = ((drawable(value) ?? 0) / top) * height - (row - 1);
      return barOf(filled, row === 1, ofDay);
    });
    return `${(scale.get(row) ?? '').padStart(gutter)} ${edge}${bars.join('')}`;
  });
  return [
    palette.bold(title),
    ...rows,
    `${(scale.get(0) ?? '').padStart(gutter)} └${'─'.repeat(days.length * ofDay)}`,
    `${' '.repeat(gutter + 2)}${datesBelow(days, days.length * ofDay)}`,
  ].map((line) => line.trimEnd());
}

function drawable(value: number | null | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= mostDrawn ? value : undefined;
}

/** The end of the scale; 0 if there is nothing to draw. */
function topOf(most: number): number {
  if (most === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(most));
  return (tops.find((top) => top * power >= most) ?? 10) * power;
}

/** The part of a bar in one row, `filled` from 0 to 1; the lowest row shows even the smallest value. */
function barOf(filled: number, isLowest: boolean, columns: number): string {
  const eighth = Math.min(8, Math.max(0, Math.round(filled * 8)));
  const least = isLowest && filled > 0 ? 1 : 0;
  const sign = eighths[Math.max(eighth, least)] || ' ';
  // A gap between days, if there is room.
  return columns === 1 ? sign : `${sign.repeat(columns - 1)} `;
}

/** The first and last date, if there is room for both. */
function datesBelow(days: readonly DayValue[], columns: number): string {
  const [left = '', right = ''] = [days[0], days.at(-1)].map((day) =>
    cut(visible(day?.date ?? ''), 12),
  );
  if (days.length < 2 || left.length + 1 + right.length > columns) return left;
  return left + right.padStart(columns - left.length);
}
