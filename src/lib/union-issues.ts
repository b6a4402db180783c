import type { Issue } from './errors.ts';

/** A complaint about a value that fits none of several kinds, with what each of them lacks. */
export interface UnionIssue extends Issue {
  /** For each kind what is wrong with it, with whole paths; undefined where there is but one kind. */
  readonly kinds?: readonly (readonly UnionIssue[])[] | undefined;
}

/** What is told of one kind at most: a list may hold a million values of the wrong type. */
export const mostOfKind = 100;

/** What zod, of either version, says of a union that has no words of its own. */
const noWords = 'Invalid input';

/**
 * What is wrong with a value, in place of that it fits none of several kinds: what is wrong inside it
 * where it is of one of them, else what each of them asks for.
 */
export function toldOfUnion({ path, message, kinds = [] }: UnionIssue): readonly Issue[] {
  const told = kinds.map((issues) => issues.flatMap(toldOfUnion));
  const meant = told.find(
    (issues) => issues.length > 0 && issues.every((one) => one.path.length > path.length),
  );
  if (meant !== undefined) return meant;
  const asked = message === noWords ? told.flat() : [];
  const words = [...new Set(asked.map((one) => one.message))].join(' or ');
  return [{ path, message: words || message }];
}
