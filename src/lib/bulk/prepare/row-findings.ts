import type { MailerError, PolicyRefusal } from '../../errors.ts';
import { withMore } from '../../text/quoted-names.ts';

/** Messages that are shown, and rows that are named with each; the others are counted. */
const mostShown = 10;
/** Addresses that an error lists as JSON. */
const mostListed = 1000;

/** What there is to say about rows before they are sent. */
export interface RowFindings {
  readonly invalid: number;
  /** Why, in lines: each reason once, with its rows. */
  readonly problems: readonly string[];
  /** Rows whose recipients an earlier row has too. */
  readonly duplicates: number;
  /** Which, in lines. */
  readonly repeated: readonly string[];
  /** By which rule the first row was refused that a policy refuses, with the addresses of all. */
  readonly refusal?: PolicyRefusal | undefined;
}

/** Collects findings; what is noted is returned in words, without its row. */
export function createRowFindings() {
  const problems = createNotes();
  const repeated = createNotes();
  let refusal: PolicyRefusal | undefined;
  return {
    /** `rows`: of the whole input, where it is known. */
    found: (rows?: number): RowFindings => ({
      invalid: problems.count(),
      problems: problems.lines(rows),
      duplicates: repeated.count(),
      repeated: repeated.lines(),
      refusal,
    }),
    invalid(row: number, { message, details }: MailerError): string {
      if (details.refusal !== undefined) refusal = joined(refusal, details.refusal);
      const line = message.replaceAll('\n', '; ');
      return problems.add(row, details.refusal === undefined ? line : line.replace(/\.$/, ''));
    },
    repeated: (row: number, to: string, earlier: number): string =>
      repeated.add(row, `${to} is also in row ${earlier}`),
  };
}

function joined(
  first: PolicyRefusal | undefined,
  { addresses, ...rule }: PolicyRefusal,
): PolicyRefusal {
  const before = first?.addresses ?? [];
  const all = before.length < mostListed ? [...before, ...addresses] : before;
  return { ...rule, ...first, addresses: all.slice(0, mostListed) };
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
