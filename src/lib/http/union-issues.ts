import type { Issue } from '../errors.ts';

/** An issue of a value that matches no member of a union, with the issues of each member. */
export interface UnionIssue extends Issue {
  /** The issues of each member, with full paths; undefined where it is not a union. */
  readonly kinds?: readonly (readonly UnionIssue[])[] | undefined;
}

/** Issues kept of one member at most: a list may have a million values of the wrong type. */
export const mostOfKind = 100;

/** The message of zod, in versions 3 and 4, for a union without one of its own. */
const noWords = 'Invalid input';

/**
 * Issues that help, in place of "Invalid input": the issues inside the value if it is of one member's
 * type, otherwise what each member requires.
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
