import { UsageError } from '../errors.ts';

/** A parser of whole numbers for `flag`; `10abc`, `1e3`, `` and out of range are usage errors. */
export function parseInteger(
  flag: string,
  {
    min = Number.MIN_SAFE_INTEGER,
    max = Number.MAX_SAFE_INTEGER,
  }: { min?: number; max?: number } = {},
): (value: string) => number {
  return (value) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < min || number > max) {
      throw new UsageError(`${flag}: "${value}" is not a whole number${rangeText(min, max)}`);
    }
    return number;
  };
}

/** A parser of seconds, with fractions, for `flag`; returns milliseconds, more than 0. */
export function parseSeconds(flag: string): (value: string) => number {
  return (value) => {
    const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    // setTimeout fires at once past 2^31 - 1 ms.
    if (!(seconds > 0) || seconds * 1000 > 2 ** 31 - 1) {
      throw new UsageError(`${flag}: "${value}" is not a number of seconds above 0`);
    }
    return Math.ceil(seconds * 1000);
  };
}

function rangeText(min: number, max: number): string {
  if (max !== Number.MAX_SAFE_INTEGER) return ` from ${min} to ${max}`;
  return min === Number.MIN_SAFE_INTEGER ? '' : `, ${min} or more`;
}
