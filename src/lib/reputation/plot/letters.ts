import { reputationStates } from '../../../api/reputation-states.ts';
import { colorLike, type Palette } from '../../output/palette.ts';
import { cut, flow } from '../../text/flow.ts';
import { visible } from '../../text/visible.ts';

/** The sign that stands for each state. */
export type Letters = ReadonlyMap<string, string>;

/** Stands where marks of different states fall on one another. */
export const several = '*';
/** Stands for all states for which there is no sign left. */
const other = '?';
/** Columns of a word in the legend, which leave room for others. */
const longestWord = 20;

/** A sign for each of the states: the first of its letters that no other has, else a digit. */
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

/** The axis while a state lasts: the worse the state, the heavier, so that it can do without colour. */
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
  /** Whether the sign for several states is in the plot. */
  readonly overlaps: boolean;
}

/** What the signs mean, in lines of at most `width` columns. */
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
    ...(overlaps ? [`${several} several states`] : []),
  ];
  return flow(entries, '  ', width);
}
