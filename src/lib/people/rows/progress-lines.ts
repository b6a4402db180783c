import { bar, percent, percentWidth, widestBar } from '../../base/text/bar.ts';
import { cut, flow } from '../../base/text/flow.ts';
import type { Palette } from '../../command-line/output/palette.ts';

export interface ProgressLine {
  readonly label: string;
  /** From 0 to 1; undefined if unknown, and then there is no bar. */
  readonly share: number | undefined;
  /** What has been counted: `372,000 of 1,000,000`; or empty. */
  readonly count: string;
  readonly words?: readonly string[];
  /** The same, in red. */
  readonly warnings?: readonly string[];
}

const gap = '  ';
const narrowestBar = 4;
/** Columns of a bar that the count must leave; otherwise it moves below the bar. */
const shortBar = 10;
/** Columns that the words need beside a bar. With fewer, they are always below it. */
const roomForWords = 40;

/** A bar with its label, percentage and count, and the words beside or below it. */
export function progressLines(
  { label, share, count, words: plain = [], warnings = [] }: ProgressLine,
  columns: number,
  palette: Palette,
): string[] {
  const words = [
    ...plain.map((word) => cut(word, columns)),
    ...warnings.map((word) => palette.red(cut(word, columns))),
  ];
  const counts = count === '' ? [] : [count];
  const alone = counts.map((text) => cut(text.trimStart(), columns));
  if (share === undefined) return flow([cut(label, columns), ...alone, ...words], gap, columns);
  const room = columns - label.length - percentWidth - 2 * gap.length;
  const roomBesideCount = room - counts.join().length - counts.length * gap.length;
  const isBelow = roomBesideCount < shortBar;
  const width = Math.min(isBelow ? room : roomBesideCount, widestBar);
  const cells = [percent(share).padStart(percentWidth), ...(isBelow ? [] : counts)];
  const line =
    width < narrowestBar
      ? cut([label, ...cells].join(gap), columns)
      : [label, bar(share, width, palette.green, palette.dim), ...cells].join(gap);
  if (isBelow) return [line, ...flow([...alone, ...words], gap, columns)];
  return roomBesideCount - width - gap.length < roomForWords
    ? [line, ...flow(words, gap, columns)]
    : flow([line, ...words], gap, columns);
}
