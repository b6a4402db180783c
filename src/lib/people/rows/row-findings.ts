import type { MailerError, PolicyRefusal } from '../../base/errors.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';

/** Messages that are shown, and rows that are listed with each, at most; the rest is counted. */
const mostShown = 10;
/** Addresses that an error lists in JSON, at most. */
const mostListed = 1000;

/** What is known about rows before they are sent. */
export type RowFindings = ReturnType<ReturnType<typeof createRowFindings>['found']>;

/** Collects findings; each is returned without its row. */
export function createRowFindings() {
  const problems = createNotes();
  const repeated = createNotes();
  const contradicted = createNotes();
  let first: Omit<PolicyRefusal, 'addresses'> | undefined;
  const addresses = new Set<string>();
  return {
    /** `rows`: the number of rows of the whole input, if known. */
    found: (rows?: number) => ({
      invalid: problems.count(),
      /** The reasons, one per line, each with its rows. */
      problems: problems.lines(rows),
      /** Rows with the recipients of an earlier row. */
      duplicates: repeated.count(),
      /** These rows, in lines. */
      repeated: repeated.lines(),
      /** Rows to people who do not want email by another row, in lines. */
      contradicted: contradicted.lines(),
      /** The rule by which a policy refused the first row, with the addresses of all refused rows. */
      refusal: first && { ...first, addresses: [...addresses] },
    }),
    /** Why a row is left out. */
    invalid(row: number, { message, details }: MailerError) {
      const line = message.replaceAll('\n', '; ');
      if (details.refusal === undefined) {
        return { reason: 'invalid', problem: problems.add(row, line) } as const;
      }
      const { rule, place } = details.refusal;
      first ??= { rule, place };
      for (const one of details.refusal.addresses) {
        if (addresses.size < mostListed) addresses.add(one);
      }
      const problem = problems.add(row, line.replace(/\.$/, ''));
      return { reason: 'policy', problem, refusal: { rule, place } } as const;
    },
    contradicted: (row: number, to: string, other: number): string =>
      contradicted.add(row, `${to} does not want email, by row ${other}`),
    repeated: (row: number, to: string, earlier: number): string =>
      repeated.add(row, `${to} is also in row ${earlier}`),
  };
}

/** Rows that have something in common, of which the first ones are named. */
export interface SomeRows {
  readonly rows: string[];
  count: number;
}

/** Adds a row to those with the same key; what they have in common is `about` the first one. */
export function addRow<Key, About extends object>(
  groups: Map<Key, About & SomeRows>,
  key: Key,
  row: number,
  about: About,
): About & SomeRows {
  const group = groups.get(key) ?? { ...about, rows: [], count: 0 };
  group.count++;
  if (group.rows.length < mostShown) group.rows.push(String(row));
  groups.set(key, group);
  return group;
}

/** `row 3`, or `rows 3, 5, and 9 more`. */
export function rowsInWords({ rows, count }: SomeRows): string {
  return `${count === 1 ? 'row' : 'rows'} ${withOverflowCount(rows, count).join(', ')}`;
}

/** Groups messages about rows: an error in a template occurs in every row, and one message is enough. */
function createNotes() {
  const byMessage = new Map<string, SomeRows>();
  let count = 0;
  return {
    add(row: number, message: string): string {
      count++;
      const isNoted = byMessage.has(message) || byMessage.size < mostShown;
      if (isNoted) addRow(byMessage, message, row, {});
      return message;
    },
    count: () => count,
    lines(rows?: number): readonly string[] {
      let told = 0;
      const lines = [...byMessage].map(([message, noted]) => {
        told += noted.count;
        if (noted.count === rows && rows > 1) return `every row: ${message}`;
        return `${rowsInWords(noted)}: ${message}`;
      });
      return withOverflowCount(lines, lines.length + count - told);
    },
  };
}
