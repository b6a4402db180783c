import type { Domain } from '../../api/domain.ts';

/** Milliseconds after which a verification that has left no trace is taken to be over. */
const unnoticed = 60_000;
/** Milliseconds that a service may take to show that a verification has begun. */
const settling = 5000;

/**
 * How a verification ended that was started when the domain was as in `before`; undefined while it
 * is under way. `elapsed` is in milliseconds since the start.
 *
 * The service may still show how an earlier verification ended. A status counts when it has changed,
 * when records were looked up since `before`, or when no verification is under way any more: once one
 * was seen, or has had the time to end unseen, a moment for SUCCESS and longer for FAILED. Some servers
 * leave `isVerifying` set after a failure, so it does not decide alone.
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
    // Lists do not say when records were looked up, so a first time may be one of long ago.
    checked ??= last;
    fresh ||= now.status !== before.status || (last !== undefined && last !== checked);
    seen ||= verifying;
    const over = (patience: number) => fresh || (!verifying && (seen || elapsed >= patience));
    if (now.status === 'SUCCESS') return over(settling) ? 'success' : undefined;
    if (now.status === 'FAILED') return over(unnoticed) ? 'failed' : undefined;
    return undefined;
  };
}
