import type { Ora } from 'ora';
import stringWidth from 'string-width';
import type { OutputStream } from '../system/system.ts';
import { cut, flow } from '../text/flow.ts';

/**
 * Lines that are redrawn in place, each at most `columns` wide. They may have colours. Text from
 * the service must be passed through `visible` first.
 */
export type View = (columns: number) => readonly string[];

/** Milliseconds between two drawings: short enough that a clock in seconds skips none. */
export const redrawEvery = 500;

/** Columns of the spinner in the first line; the other lines are indented as far. */
const indent = 2;

/** Columns for the `^C` that a terminal echoes; otherwise it would start a new row. */
const margin = 2;

/**
 * The text of a spinner: a view, and a note below it. No line is wider than the terminal, and all
 * fit on the screen: broken lines, and lines that have scrolled away, cannot be erased.
 */
function textOf(view: View, note: string, { columns = 80, rows }: OutputStream): string {
  const width = Math.max(columns - indent - margin, 1);
  const words = note.split(' ').map((word) => cut(word, width));
  const below = note === '' ? [] : flow(words, ' ', width);
  const room = Math.max((rows || Number.POSITIVE_INFINITY) - below.length, 1);
  return [...view(width).slice(0, room), ...below].join(`\n${' '.repeat(indent)}`);
}

/** Draws a region on the terminal until it is stopped. `note` returns the text below the view. */
export function startRegion(spinner: Ora, stream: OutputStream, view: View, note: () => string) {
  const draw = () => {
    spinner.text = textOf(view, note(), stream);
  };
  // Most terminals break existing lines when they become narrower. The spinner erases as many rows
  // as it has drawn; this erases the additional ones.
  let { columns = 80 } = stream;
  const resize = () => {
    const before = heightOf(spinner.text, columns);
    columns = stream.columns || 80;
    const added = heightOf(spinner.text, columns) - before;
    draw();
    if (added > 0) stream.write(`\x1b[${added}A\x1b[J\r`);
  };
  draw();
  // Started before the spinner's own timer, so that each frame shows the newest text.
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
