import { quantity } from '../../../base/text/quantity.ts';
import { rowsInWords } from '../../../people/rows/row-findings.ts';

/** Rows named in one warning, at most. */
const shownRows = 20;

/** Warnings about emails that the service did not create, by what follows for them. */
const warnings = {
  again: (emails: string) =>
    `The service accepted requests without creating ${emails} in them. Only these are retried:`,
  unknown: (emails: string) =>
    `It is unknown which of ${emails} the service created. They are not retried:`,
  'given up': (emails: string) =>
    `The service responded with 500 to every attempt to send ${emails}, but accepted others. These are not retried:`,
  'in doubt': (emails: string) =>
    `The service responded with 500 to every attempt to send ${emails}. Resuming the run sends them again:`,
};

export type RowWarnings = ReturnType<typeof createRowWarnings>;

/** Collects rows whose emails the service did not create, for warnings at the end. */
export function createRowWarnings() {
  const all = new Map<keyof typeof warnings, { count: number; first: number[] }>();
  return {
    add(rows: readonly number[], next: keyof typeof warnings): void {
      const { count, first } = all.get(next) ?? { count: 0, first: [] };
      const more = rows.slice(0, shownRows - first.length);
      all.set(next, { count: count + rows.length, first: [...first, ...more] });
    },
    /** Warnings of several lines each. */
    lines: (): string[][] =>
      [...all].map(([next, { count, first }]) => {
        const named = first.toSorted((one, other) => one - other).map(String);
        return [warnings[next](quantity(count, 'email')), rowsInWords({ rows: named, count })];
      }),
  };
}
