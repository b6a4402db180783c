import type { UsageError } from '../../errors.ts';

/** Rows that are told one by one; the others are counted. */
const shownRows = 10;

/** What there is to say about rows before they are sent. */
export interface RowFindings {
  readonly invalid: number;
  /** The first of them, in words. */
  readonly problems: readonly string[];
  /** Rows whose recipients an earlier row has too. */
  readonly duplicates: number;
  readonly repeated: readonly string[];
}

/** Collects findings; what is noted is returned in words, without its row. */
export function createRowFindings() {
  const problems: string[] = [];
  const repeated: string[] = [];
  const found = { invalid: 0, problems, duplicates: 0, repeated };
  const note = (first: string[], row: number, words: string): string => {
    if (first.length < shownRows) first.push(`row ${row}: ${words}`);
    return words;
  };
  return {
    found: (): RowFindings => found,
    invalid(row: number, { message }: UsageError): string {
      found.invalid++;
      return note(problems, row, message.replaceAll('\n', '; '));
    },
    repeated(row: number, to: string, earlier: number): string {
      found.duplicates++;
      return note(repeated, row, `${to} is also in row ${earlier}`);
    },
  };
}
