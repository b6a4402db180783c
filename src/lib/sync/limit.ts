import { UsageError } from '../errors.ts';

/** How many contacts may be missing from a file that is believed. */
export interface MissingLimit {
  /** As it was written. */
  readonly text: string;
  /** The number for a book of so many contacts. */
  readonly of: (contacts: number) => number;
}

/** Parses the value of `--max-missing`: a number, or a part of the book such as `10%`. */
export function parseMissingLimit(text: string): MissingLimit {
  const [, digits = '', percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === '' || (percent === '%' && number > 100)) {
    throw new UsageError(
      `--max-missing: ${JSON.stringify(text)} is neither a number nor a part such as 10%`,
    );
  }
  return {
    text,
    of: (contacts) => (percent === '%' ? Math.floor((contacts * number) / 100) : number),
  };
}

/** Without the flag: more than half of a book is rarely missing on purpose. */
export const usualMissingLimit = parseMissingLimit('50%');
