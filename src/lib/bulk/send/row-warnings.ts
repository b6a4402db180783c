import { quantity } from '../../text/quantity.ts';
import { withMore } from '../../text/quoted-names.ts';

/** Rows named in one warning, at most. */
const shownRows = 20;

/** Collects rows that the service did not create in requests it accepted, for warnings at the end. */
export function createRowWarnings() {
  const again = createTally();
  const unknown = createTally();
  const givenUp = createTally();
  const inDoubt = createTally();
  const tallies = { again, unknown, 'given up': givenUp, 'in doubt': inDoubt };
  return {
    add(rows: readonly number[], next: keyof typeof tallies) {
      tallies[next].add(rows);
    },
    /** Warnings of several lines each. */
    lines: (): string[][] => [
      ...again.told(
        (emails) =>
          `The service accepted requests, but did not create ${emails} in them. Of these requests only the missing ones are left to be sent:`,
      ),
      ...unknown.told(
        (emails) =>
          `It is unknown which of ${emails} the service created. They are not sent again:`,
      ),
      ...givenUp.told(
        (emails) =>
          `The service answered 500 to requests with ${emails} on every try, and accepted others. These are not sent again:`,
      ),
      ...inDoubt.told(
        (emails) =>
          `The service answered 500 to requests with ${emails} on every try. They are tried again when the run goes on:`,
      ),
    ],
  };
}

function createTally() {
  let all = 0;
  const first: number[] = [];
  return {
    add(rows: readonly number[]) {
      all += rows.length;
      first.push(...rows.slice(0, shownRows - first.length));
    },
    told(words: (emails: string) => string): string[][] {
      if (all === 0) return [];
      const named = first.toSorted((one, other) => one - other).map(String);
      return [
        [
          words(quantity(all, 'email')),
          `${all === 1 ? 'row' : 'rows'} ${withMore(named, all).join(', ')}`,
        ],
      ];
    },
  };
}
