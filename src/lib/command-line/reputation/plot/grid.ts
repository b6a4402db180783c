import { colorLike, type Palette } from '../../output/palette.ts';
import { type Letters, letterOf, lineOf, overlapMark } from './letters.ts';

/** Stems closer than this on average would hide the marks. */
const columnsPerStem = 3;

/** An event with its position in the plot. */
export interface Placed {
  /** From the left, from 0. */
  readonly column: number;
  /** Above the axis, which is row 0; undefined if the rate is not from 0 to 100. */
  readonly row: number | undefined;
  readonly state: string;
  readonly sample: number | undefined;
}

interface GridOptions {
  /** Rows above the axis. */
  readonly height: number;
  readonly columns: number;
  readonly letters: Letters;
  readonly palette: Palette;
}

/**
 * Rows from top to bottom: the marks, with stems if they are few, and as the last one the axis, coloured by state.
 * Events must be in order.
 */
export function drawGrid(
  placed: readonly Placed[],
  { height, columns, letters, palette }: GridOptions,
) {
  const cells = Array.from({ length: height + 1 }, () => Array<string>(columns).fill(' '));
  const put = (row: number, column: number, text: string) => {
    const line = cells[row];
    if (line !== undefined) line[column] = text;
  };
  for (const [index, { column, state }] of placed.entries()) {
    const line = colorLike(state, palette)(lineOf(state));
    const next = placed[index + 1]?.column ?? columns;
    for (let at = column; at < next; at++) put(0, at, line);
  }
  const stems = placed.length * columnsPerStem <= columns ? placed : [];
  for (const { column, row = 0 } of stems) {
    for (let below = 1; below < row; below++) put(below, column, palette.dim('│'));
  }
  /** Whether marks of different states overlap. */
  let overlaps = false;
  const drawn = placed.flatMap(({ row, ...rest }) => (row === undefined ? [] : [{ ...rest, row }]));
  for (const { column, row, state } of drawn) {
    const alone = drawn.every(
      (mark) => mark.column !== column || mark.row !== row || mark.state === state,
    );
    overlaps ||= !alone;
    put(row, column, alone ? colorLike(state, palette)(letterOf(state, letters)) : overlapMark);
  }
  return { rows: cells.toReversed().map((line) => line.join('')), overlaps };
}
