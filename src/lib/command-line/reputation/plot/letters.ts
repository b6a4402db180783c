import { reputationStates } from '../../../../api/reputation-states.ts';
import { cut, flow } from '../../../base/text/flow.ts';
import { visible } from '../../../base/text/visible.ts';
import { colorLike, type Palette } from '../../output/palette.ts';

/** The character for each state. */
export type Letters = ReadonlyMap<string, string>;

/** Shown where marks of different states overlap. */
export const overlapMark = '*';
/** Stands for all states when no character is left for them. */
const other = '?';
/** The most columns for a word in the legend, to leave room for others. */
const longestWord = 20;

/** A character for each state: the first of its letters that is still free, else a digit. */
export function lettersOf(states: readonly string[]): Letters {
  const known = new Map<string, string>(reputationStates.map((word) => [word, word.charAt(0)]));
  const taken = new Set(known.values());
  const letters = new Map<string, string>();
  for (const state of new Set(states)) {
    const own = state.toUpperCase().match(/[A-Z]/g) ?? [];
    const free = [...own, ...'123456789'].find((sign) => !taken.has(sign));
    const letter = known.get(state) ?? free ?? other;
    taken.add(letter);
    letters.set(state, letter);
  }
  return letters;
}

export function letterOf(state: string, letters: Letters): string {
  return letters.get(state) ?? other;
}

/** The axis during a state: the worse the state, the heavier, so that it is readable without colour. */
export function lineOf(state: string): string {
  return lines.get(state) ?? '─';
}

const lines: ReadonlyMap<string, string> = new Map([
  ['WARNING', '╌'],
  ['SUPERVISED', '╌'],
  ['CRITICAL', '━'],
  ['BLOCKED', '█'],
]);

interface LegendOptions {
  readonly palette: Palette;
  readonly width: number;
  /** Whether the plot has the character for several states. */
  readonly overlaps: boolean;
}

/** The meaning of the characters, in lines of at most `width` columns. */
export function legend(letters: Letters, { palette, width, overlaps }: LegendOptions): string[] {
  const named = [...letters].filter(([, letter]) => letter !== other);
  const entries = [
    ...named.map(([state, letter]) =>
      colorLike(
        state,
        palette,
      )([letter, cut(visible(state), longestWord), lines.get(state)].filter(Boolean).join(' ')),
    ),
    ...(named.length < letters.size ? [`${other} other states`] : []),
    ...(overlaps ? [`${overlapMark} several states`] : []),
  ];
  return flow(entries, '  ', width);
}
