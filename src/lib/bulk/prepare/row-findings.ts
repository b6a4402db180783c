import type { UsageError } from '../../errors.ts';
import { withMore } from '../../text/quoted-names.ts';

/** Messages that are shown, and rows that are named with each; the others are counted. */
const mostShown = 10;

/** What there is to say about rows before they are sent. */
export interface RowFindings {
  readonly invalid: number;
  /** Why, in lines: each reason once, with its rows. */
  readonly problems: readonly string[];
  /** Rows whose recipients an earlier row has too. */
  readonly duplicates: number;
  /** Which, in lines. */
  readonly repeated: readonly string[];
}

/** Collects findings; what is noted is returned in words, without its row. */
export function createRowFindings() {
  const problems = createNotes();
  const repeated = createNotes();
  return {
    /** `rows`: of the whole input, where it is known. */
    found: (rows?: number): RowFindings => ({
      invalid: problems.count(),
      problems: problems.lines(rows),
      duplicates: repeated.count(),
      repeated: repeated.lines(),
    }),
    invalid: (row: number, { message }: UsageError): string =>
      problems.add(row, message.replaceAll('\n', '; ')),
    repeated: (row: number, to: string, earlier: number): string =>
      repeated.add(row, `${to} is also in row ${earlier}`),
  };
}

/** Messages about rows: a template that is wrong is wrong in every row, and one message is enough. */
function createNotes() {
  const byMessage = new Map<string, { first: string[]; count: number }>();
  let count = 0;
  return {
    add(row: number, message: string): string {
      count++;
      const noted = byMessage.get(message) ?? { first: [], count: 0 };
      noted.count++;
      if (noted.first.length < mostShown) noted.first.push(String(row));
      if (byMessage.size < mostShown) byMessage.set(message, noted);
      return message;
    },
    count: () => count,
    lines(rows?: number): readonly string[] {
      let told = 0;
      const lines = [...byMessage].map(([message, noted]) => {
        told += noted.count;
        if (noted.count === rows && rows > 1) return `every row: ${message}`;
        const named = withMore(noted.first, noted.count);
        return `${named.length === 1 ? 'row' : 'rows'} ${named.join(', ')}: ${message}`;
      });
      return withMore(lines, lines.length + count - told);
    },
  };
}
