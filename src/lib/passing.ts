import { RateLimitedError, UnavailableError } from './errors.ts';

/**
 * Milliseconds that a wait may last beyond its time: what is asked for when time is up needs a
 * moment to be answered.
 */
export const lastLook = 1000;

/**
 * Whether an error is only another reason to wait for who looks again and again: a lost
 * connection, 5xx, 429.
 */
export function isPassing(error: unknown): error is UnavailableError | RateLimitedError {
  return error instanceof UnavailableError || error instanceof RateLimitedError;
}
