import { readSetting, writeSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';

/**
 * The sandbox's clock: the real one, `real` (milliseconds since 1970), plus an offset that is part
 * of the data, so that all processes that share the data share the time.
 */
export function sandboxClock(store: Store, real: () => number): () => number {
  return () => real() + clockOffset(store);
}

/** How many milliseconds the sandbox's clock is ahead of the real one; negative when behind. */
export function clockOffset(store: Store): number {
  return Number(readSetting(store, 'clock.ahead') ?? 0);
}

/** Sets how many milliseconds the sandbox's clock is ahead of the real one. */
export function setClockOffset(store: Store, milliseconds: number): void {
  writeSetting(store, 'clock.ahead', String(milliseconds));
}

/** Advances the clock by milliseconds, or sets it back. Call it in a transaction. */
export function moveClock(store: Store, milliseconds: number): void {
  setClockOffset(store, clockOffset(store) + milliseconds);
  // A claim belongs to a request in progress, which takes real time.
  store.run(
    'UPDATE idempotency SET expires_at = expires_at + ? WHERE email_ids IS NULL',
    milliseconds,
  );
}
