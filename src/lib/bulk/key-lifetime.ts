import { limits } from '../../api/limits.ts';
import type { Journal } from './journal.ts';

/** What a repetition is over before the service forgets its key, and how wrong a clock may be, in ms. */
const margin = 10 * 60_000;

/** Milliseconds from the first request under a key until a repetition would be another email. */
const lifetime = limits.idempotencyRecordHours * 3_600_000 - margin;

/** When a request that is first sent at `begunAt` must not be repeated any more (ms since 1970). */
export function lastRepetition(begunAt: number): number {
  return begunAt + lifetime;
}

/**
 * Whether the service may have forgotten a request. One of the future was written down by a clock
 * that was wrong, so that nobody knows how old it is.
 */
export function isForgotten(begunAt: number, now: number): boolean {
  return begunAt <= now - lifetime || begunAt > now + margin;
}

/** Requests without an answer that the service may have forgotten become unknown; how many emails. */
export function giveUpForgotten(journal: Journal, now: number): number {
  return journal.expire(now - lifetime, now + margin);
}
