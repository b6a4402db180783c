import type { ReputationEvent } from '../../../api/reputation.ts';
import type { CellStyle } from '../output/cell-style.ts';
import { dateLine, timeAxis } from './plot/dates.ts';
import { drawGrid, type Placed } from './plot/grid.ts';
import { legend, lettersOf } from './plot/letters.ts';
import { sampleLines } from './plot/samples.ts';
import { timeOf } from './reputation-gate.ts';

const widest = 100;
/** The fewest columns for the time axis. */
const narrowest = 24;
/** Rows above the axis: an even number, so that half the scale falls on a row. */
const height = 8;
const sampleLabel = 'sample';
/** Ends of the scale, in percent, chosen so that half of each is a round number too. */
const tops = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 40, 50, 60, 80, 100];

/**
 * Lines with the bounce rate of each event over time, at most `width` and never more than 100 columns wide.
 * Empty if there is nothing to draw or no room. Events may be in any order.
 *
 * A rate is known only at its event, so there are marks instead of a curve: the letter of the new state,
 * with a stem if there is room. The axis is coloured by the state at the time, the newest in each column.
 */
export function plotEvents(
  events: readonly ReputationEvent[],
  style: CellStyle,
  width: number,
): string[] {
  // Oldest first, even at equal times: a reply has the newest first.
  const dated = events
    .filter((event) => !Number.isNaN(timeOf(event)))
    .toReversed()
    .toSorted((a, b) => timeOf(a) - timeOf(b));
  const rates = dated.map(rateOf).filter((rate) => rate !== undefined);
  const top = tops.find((value) => value >= Math.max(0, ...rates)) ?? 100;
  const scale = new Map([0, height / 2, height].map((row) => [row, `${(top * row) / height}%`]));
  const gutter = Math.max(sampleLabel.length, ...[...scale.values()].map(({ length }) => length));
  const room = Math.min(width, widest);
  const columns = room - gutter - 2;
  if (rates.length === 0 || columns < narrowest) return [];

  const axis = timeAxis(dated.map(timeOf), style.now);
  const placed = dated.map((event): Placed => {
    const rate = rateOf(event);
    return {
      column: Math.round(axis.position(timeOf(event)) * (columns - 1)),
      row: rate === undefined ? undefined : Math.round((rate / top) * height),
      state: event.toState,
      sample: sampleOf(event),
    };
  });
  const letters = lettersOf(placed.map(({ state }) => state));
  const missing = events.length - rates.length;
  const beside = (label: string, line: string) => `${label.padStart(gutter)}  ${line}`;
  const [bars = '', numbers = ''] = sampleLines(placed, columns);
  const { rows, overlaps } = drawGrid(placed, { height, columns, letters, palette: style.palette });
  return [
    style.palette.bold(`Bounce rate at each change${style.offsets ? `, ${style.timeZone}` : ''}`),
    ...rows.map((line, index) => {
      const row = height - index;
      const tick = scale.get(row);
      const edge = row === 0 ? '└' : tick === undefined ? '│' : '┤';
      return `${(tick ?? '').padStart(gutter)} ${edge}${line}`;
    }),
    beside('', dateLine(axis, columns, style.timeZone)),
    beside(sampleLabel, bars),
    beside('', numbers),
    ...legend(letters, { palette: style.palette, width: room, overlaps }),
    ...(missing === 0 ? [] : [`Not drawn: ${missing} (no time or rate)`]),
  ].map((line) => line.trimEnd());
}

function rateOf({ bounceRate }: ReputationEvent): number | undefined {
  return typeof bounceRate === 'number' && bounceRate >= 0 && bounceRate <= 100
    ? bounceRate
    : undefined;
}

function sampleOf({ sampleSize }: ReputationEvent): number | undefined {
  return typeof sampleSize === 'number' && sampleSize >= 0 && Number.isFinite(sampleSize)
    ? sampleSize
    : undefined;
}
