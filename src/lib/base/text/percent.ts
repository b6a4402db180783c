/**
 * A rate from 0 to 100 for people, with at most three decimals: `1.943%`; undefined without a rate.
 */
export function percentage(rate: number | null | undefined): string | undefined {
  return typeof rate === 'number' ? `${Number(rate.toFixed(3))}%` : undefined;
}

/** A part's share of a whole, with at most one decimal; undefined if it is unknown. */
export function share(
  part: number | null | undefined,
  whole: number | null | undefined,
): string | undefined {
  if (typeof part !== 'number' || typeof whole !== 'number' || !(whole > 0)) return undefined;
  return `${Number(((part / whole) * 100).toFixed(1))}%`;
}
