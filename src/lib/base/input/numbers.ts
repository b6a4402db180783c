import { UsageError } from '../errors.ts';

/**
 * A parser of whole numbers for `flag`. Throws a `UsageError` for `10abc`, `1e3`, an empty text,
 * and numbers out of range.
 */
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

function rangeText(min: number, max: number): string {
  if (max !== Number.MAX_SAFE_INTEGER) return ` from ${min} to ${max}`;
  return min === Number.MIN_SAFE_INTEGER ? '' : `, ${min} or more`;
}
