import type { Domain } from '../../api/domain.ts';

/** After this many milliseconds, a verification that has left no trace is assumed to be over. */
const unnoticed = 60_000;
/** How long a service may take to show that a verification has started, in milliseconds. */
const settling = 5000;

/**
 * Judges the outcome of a verification that started when the domain was as in `before`; undefined while it is
 * under way. `elapsed` is in milliseconds since the start.
 *
 * The service may still show the outcome of an earlier verification. A status counts if it has changed, if
 * records were looked up since `before`, or if no verification is under way any more: one was seen, or had
 * enough time to end unseen, which is shorter for SUCCESS than for FAILED. Some servers leave `isVerifying`
 * set after a failure, so it does not decide alone.
 */
export function createVerificationJudge(
  before: Domain,
): (now: Domain, elapsed: number) => 'success' | 'failed' | undefined {
  let checked = before.lastCheckedTime || undefined;
  let fresh = false;
  let seen = false;
  return (now, elapsed) => {
    const verifying = now.isVerifying === true;
    const last = now.lastCheckedTime || undefined;
    // Lists do not say when records were looked up, so the first time that is seen may be an old one.
    checked ??= last;
    fresh ||= now.status !== before.status || (last !== undefined && last !== checked);
    seen ||= verifying;
    const over = (patience: number) => fresh || (!verifying && (seen || elapsed >= patience));
    if (now.status === 'SUCCESS') return over(settling) ? 'success' : undefined;
    if (now.status === 'FAILED') return over(unnoticed) ? 'failed' : undefined;
    return undefined;
  };
}
