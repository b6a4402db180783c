import { grouped } from './quantity.ts';

/** Most items of a list that are named; more would only fill the screen. */
export const maxNames = 20;

/** Quoted names, separated by commas, and the number of the others: `"a", "b" and 480 more`. */
export function quotedNames(names: readonly string[]): string {
  const named = names.slice(0, maxNames).map((name) => JSON.stringify(name));
  const left = names.length - named.length;
  return left > 0 ? `${named.join(', ')} and ${left} more` : named.join(', ');
}

/** The items that are shown, and how many of `total` are not: `a`, `b`, `and 1,480 more`. */
export function withOverflowCount(shown: readonly string[], total: number): readonly string[] {
  const left = total - shown.length;
  return left > 0 ? [...shown, `and ${grouped(left)} more`] : shown;
}
