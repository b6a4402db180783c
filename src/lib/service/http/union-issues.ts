import type { Issue } from '../../base/errors.ts';

/** An issue of a value that matches no member of a union, with the issues of each member. */
export interface UnionIssue extends Issue {
  /** The issues of each member, with full paths; undefined if it is not a union. */
  readonly kinds?: readonly (readonly UnionIssue[])[] | undefined;
}

/** Most issues kept of one member: a list may have a million values of the wrong type. */
export const maxIssues = 100;

/** Zod's message, in versions 3 and 4, for a union without a message of its own. */
const noWords = 'Invalid input';

/**
 * Replaces "Invalid input" with useful issues: those inside the value if it has one member's type,
 * otherwise what each member requires.
 */
export function flattenUnionIssue({ path, message, kinds = [] }: UnionIssue): readonly Issue[] {
  const told = kinds.map((issues) => issues.flatMap(flattenUnionIssue));
  const meant = told.find(
    (issues) => issues.length > 0 && issues.every((one) => one.path.length > path.length),
  );
  if (meant !== undefined) return meant;
  const asked = message === noWords ? told.flat() : [];
  const words = [...new Set(asked.map((one) => one.message))].join(' or ');
  return [{ path, message: words || message }];
}
