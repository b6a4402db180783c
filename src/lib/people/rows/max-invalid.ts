import { UsageError } from '../../base/errors.ts';
import { compact } from '../../base/text/compact.ts';
import { quantity } from '../../base/text/quantity.ts';

/** The flag with which a job that runs every night ends with 0 although a few rows are invalid. */
export const maxInvalidFlag = [
  '--max-invalid <n>',
  'leave out up to this many invalid rows, or 2% of all, and end with 0',
  parseLimit,
] as const;

/** How many invalid rows are no failure: a number, or a percentage of all rows. */
function parseLimit(value: string) {
  const [, digits, percent] = /^(\d{1,9}(?:\.\d{1,3})?)(%?)$/.exec(value) ?? [];
  const most = Number(digits);
  const isPercent = percent === '%';
  const isWrong = isPercent ? most > 100 : !Number.isSafeInteger(most);
  if (digits === undefined || isWrong) {
    throw new UsageError(`--max-invalid: "${value}" is not a number of rows, or of the form 2%`);
  }
  return { most, isPercent };
}

/** What the command line says about invalid rows. */
export interface InvalidFlags {
  readonly skipInvalid?: true | undefined;
  readonly maxInvalid?: ReturnType<typeof parseLimit> | undefined;
}

interface Counted {
  readonly rows: number;
  readonly invalid: number;
}

/** Whether invalid rows may be left out. If all rows are invalid, something else is wrong. */
export function mayLeaveOut(flags: InvalidFlags, { rows, invalid }: Counted): boolean {
  if (invalid === 0) return true;
  if (invalid === rows) return false;
  return flags.skipInvalid === true || invalid <= allowed(flags, rows);
}

/** What to do about invalid rows that may not be left out; `verb` is what happens to the others. */
export function waysOut(flags: InvalidFlags, { rows, invalid }: Counted, verb: string): string[] {
  const { maxInvalid } = flags;
  return compact(
    maxInvalid !== undefined && `--max-invalid allows ${quantity(allowed(flags, rows), 'row')}.`,
    invalid < rows && `To ${verb} the others, add --skip-invalid.`,
  );
}

function allowed({ maxInvalid }: InvalidFlags, rows: number): number {
  if (maxInvalid === undefined) return 0;
  const { most, isPercent } = maxInvalid;
  return isPercent ? Math.floor((rows * most) / 100) : most;
}
