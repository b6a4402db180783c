import { readSetting, writeSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';

/**
 * The sandbox's clock: as fast as the real one, `real` (milliseconds since 1970), and as far ahead
 * of it as was set, so that all processes that share the data share the time.
 */
export function sandboxClock(store: Store, real: () => number): () => number {
  return () => real() + aheadOf(store);
}

/** How many milliseconds the sandbox's clock is ahead of the real one; negative when behind. */
export function aheadOf(store: Store): number {
  return Number(readSetting(store, 'clock.ahead') ?? 0);
}

/** Puts the sandbox's clock this many milliseconds ahead of the real one. */
export function setAhead(store: Store, milliseconds: number): void {
  writeSetting(store, 'clock.ahead', String(milliseconds));
}

/** Moves the clock by this many milliseconds, back when negative. Call it in a transaction. */
export function moveClock(store: Store, milliseconds: number): void {
  setAhead(store, aheadOf(store) + milliseconds);
  // A claim is of a request that is being processed, which takes real time.
  store.run(
    'UPDATE idempotency SET expires_at = expires_at + ? WHERE email_ids IS NULL',
    milliseconds,
  );
}
