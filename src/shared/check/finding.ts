import type { FoundAt } from './collect.ts';

/** Something that an email should not have, or that is missing. */
export interface EmailFinding
  extends Pick<FoundAt, 'code' | 'severity' | 'where' | 'count' | 'message' | 'share' | 'url'>,
    TextPlace {
  /** If rows are checked: in how many of their emails it was found, and the numbers of the first. */
  readonly emails?: number;
  readonly rows?: readonly number[];
}

/** Where something is written. */
export interface TextPlace {
  /** The file to correct, if several are checked, or if it is not the one that is checked. */
  readonly file?: string;
  /** The line of the first place, from 1; only if the place is in a text. */
  readonly line?: number;
  /** The column in characters, from 1. */
  readonly column?: number;
}

/** A finding with its place. */
export function placed(found: FoundAt, place: TextPlace): EmailFinding {
  const { code, severity, where, count, message, share, url } = found;
  const shared = share === undefined ? {} : { share };
  return { code, severity, where, ...place, count, message, ...shared, url };
}
