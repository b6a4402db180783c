import type { Candidate } from './offer.ts';

/** The candidates that start with `typed`; if there are none, ignores case. */
export function matching(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const exact = candidates.filter(({ value }) => value.startsWith(typed));
  if (exact.length > 0) return exact;
  const lower = typed.toLowerCase();
  return candidates.filter(({ value }) => value.toLowerCase().startsWith(lower));
}
