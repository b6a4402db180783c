import { RateLimitedError, UnavailableError } from '../errors.ts';
import { parseDuration } from '../input/duration.ts';

/** How to poll. */
export interface Polling {
  /** Milliseconds after which polling ends. */
  readonly timeout: number;
  /** Milliseconds between two polls; undefined for growing pauses. */
  readonly interval: number | undefined;
}

/** Milliseconds between the first two polls, and at most between two. */
export const firstPause = 2000;
const longestPause = 30_000;

/** The flag `--wait-timeout`, as in help. `standard` is the default. */
export function waitTimeoutFlag(standard: string) {
  return [
    '--wait-timeout <duration>',
    `how long to wait, such as 90s or 10m (default: ${standard})`,
  ] as const;
}

/** The flag `--interval`, as in help. */
export const intervalFlag = [
  '--interval <duration>',
  'how often to check (default: after 2s, then less often)',
] as const;

/**
 * Reads `--wait-timeout` and `--interval`. Without `standard`, a default duration, waiting has no
 * end.
 */
export function pollingOf(
  { waitTimeout, interval }: { waitTimeout?: string | undefined; interval?: string | undefined },
  standard?: string,
): Polling {
  const timeout = waitTimeout ?? standard;
  return {
    timeout:
      timeout === undefined ? Number.POSITIVE_INFINITY : parseDuration('--wait-timeout')(timeout),
    interval: interval === undefined ? undefined : parseDuration('--interval')(interval),
  };
}

/** Milliseconds that a wait may exceed its timeout, so that the last poll can get a response. */
export const lastLook = 1000;

/** The next pause after a poll without news. */
export function longerPause(pause: number, longest = longestPause): number {
  return Math.min(pause * 1.5, longest);
}

/** Whether an error is temporary: the service is down or busy. */
export function isPassing(error: unknown): error is UnavailableError | RateLimitedError {
  return error instanceof UnavailableError || error instanceof RateLimitedError;
}

/** The note about such an error. Its message may be the service's, and end with any character. */
export function stillWaiting({ message }: Error): string {
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} Still waiting.`;
}
