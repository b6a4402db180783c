import { grouped } from './quantity.ts';

/** So many of a list are named: more would fill the screen and say no more. */
export const mostNamed = 20;

/** Names in quotes, separated by commas, as many as one reads: `"a", "b" and 480 more`. */
export function quotedNames(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).map((name) => JSON.stringify(name));
  const left = names.length - named.length;
  return left > 0 ? `${named.join(', ')} and ${left} more` : named.join(', ');
}

/** The items that are shown of `total`, and how many more there are: `a`, `b`, `and 1,480 more`. */
export function withMore(shown: readonly string[], total: number): readonly string[] {
  const left = total - shown.length;
  return left > 0 ? [...shown, `and ${grouped(left)} more`] : shown;
}
