import { UsageError } from '../../base/errors.ts';

/** Parses the value of `--max-missing`: a number, or a percentage of the contacts that could be removed. */
export function parseMissingLimit(text: string) {
  const [, digits = '', percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === '' || (percent === '%' && number > 100)) {
    throw new UsageError(
      `--max-missing: ${JSON.stringify(text)} is neither a number nor a part such as 10%`,
    );
  }
  return {
    /** As typed. */
    text,
    /** The limit for a book with this number of contacts that could be removed. */
    of: (contacts: number) => (percent === '%' ? Math.floor((contacts * number) / 100) : number),
  };
}

/** The default: if more than half of a book is missing, it is rarely on purpose. */
export const usualMissingLimit = parseMissingLimit('50%');
