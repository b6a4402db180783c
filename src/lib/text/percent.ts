/** A rate of 0 to 100 for people, with at most three decimals: `1.943%`; undefined if it is none. */
export function percentage(rate: number | null | undefined): string | undefined {
  return typeof rate === 'number' ? `${Number(rate.toFixed(3))}%` : undefined;
}

/** The share of a part in a whole, with at most one decimal; undefined where it cannot be told. */
export function share(
  part: number | null | undefined,
  whole: number | null | undefined,
): string | undefined {
  if (typeof part !== 'number' || typeof whole !== 'number' || !(whole > 0)) return undefined;
  return `${Number(((part / whole) * 100).toFixed(1))}%`;
}
