import type { Ora } from 'ora';
import stringWidth from 'string-width';
import type { OutputStream } from '../system/system.ts';
import { cut, flow } from '../text/flow.ts';

/**
 * Lines that are drawn again and again in the same place, each at most `columns` wide. They may be
 * coloured; what comes from the service must have been made visible.
 */
export type View = (columns: number) => readonly string[];

/** Milliseconds between two drawings: a clock of seconds does not skip one. */
export const redrawEvery = 500;

/** Columns that the spinner takes from the first line; the others are set in as far. */
const indent = 2;

/** Columns for the `^C` that a terminal echoes, which would begin a row of its own without them. */
const margin = 2;

/**
 * The text of a spinner with a view and below it a note. None of its lines is wider than the terminal,
 * and all are on the screen: broken lines, and those that have left it, cannot be erased.
 */
function textOf(view: View, note: string, { columns = 80, rows }: OutputStream): string {
  const width = Math.max(columns - indent - margin, 1);
  const words = note.split(' ').map((word) => cut(word, width));
  const below = note === '' ? [] : flow(words, ' ', width);
  const room = Math.max((rows || Number.POSITIVE_INFINITY) - below.length, 1);
  return [...view(width).slice(0, room), ...below].join(`\n${' '.repeat(indent)}`);
}

/** A region on the terminal, until it is stopped. `note` gives the words below the view. */
export function startRegion(
  spinner: Ora,
  stream: OutputStream,
  view: View,
  note: () => string,
): { stop(): void } {
  const draw = () => {
    spinner.text = textOf(view, note(), stream);
  };
  // Most terminals break the lines that are there when they become narrower. The spinner erases as
  // many rows as it has drawn; those that were added are erased here.
  let { columns = 80 } = stream;
  const resize = () => {
    const before = heightOf(spinner.text, columns);
    columns = stream.columns || 80;
    const added = heightOf(spinner.text, columns) - before;
    draw();
    if (added > 0) stream.write(`\x1b[${added}A\x1b[J\r`);
  };
  draw();
  // Before the spinner's own timer, so that it shows what is new.
  const timer = setInterval(draw, redrawEvery);
  stream.on('resize', resize);
  spinner.start();
  return {
    stop() {
      clearInterval(timer);
      stream.off('resize', resize);
      spinner.stop();
    },
  };
}

function heightOf(text: string, columns: number): number {
  return `${' '.repeat(indent)}${text}`
    .split('\n')
    .map((line) => Math.max(1, Math.ceil(stringWidth(line) / columns)))
    .reduce((sum, rows) => sum + rows, 0);
}
