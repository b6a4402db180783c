import { RateLimitedError, UnavailableError } from '../errors.ts';
import { parseDuration } from '../input/duration.ts';

/** How to look at something again and again. */
export interface Polling {
  /** Milliseconds after which to give up. */
  readonly timeout: number;
  /** Milliseconds between two looks, always; undefined when they are to grow. */
  readonly interval: number | undefined;
}

/** Milliseconds between the first two looks, and the most that there are between two. */
export const firstPause = 2000;
const longestPause = 30_000;

/** The flag `--wait-timeout`, as help shows it. `standard` is the default. */
export function waitTimeoutFlag(standard: string) {
  return [
    '--wait-timeout <duration>',
    `how long to wait, such as 90s or 10m (default: ${standard})`,
  ] as const;
}

/** The flag `--interval`, as help shows it. */
export const intervalFlag = [
  '--interval <duration>',
  'how often to check (default: after 2s, then less often)',
] as const;

/** `--wait-timeout` and `--interval`. Without `standard`, a duration in words, there is no end. */
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

/**
 * Milliseconds that a wait may last beyond its time: what is asked for when time is up needs a
 * moment to be answered.
 */
export const lastLook = 1000;

/** The pause after a look that has found nothing new. */
export function longerPause(pause: number, longest = longestPause): number {
  return Math.min(pause * 1.5, longest);
}

/** Whether an error is only another reason to wait: the service is away, or busy. */
export function isPassing(error: unknown): error is UnavailableError | RateLimitedError {
  return error instanceof UnavailableError || error instanceof RateLimitedError;
}

/** That such an error is waited out. Its message may be the service's, and end as it likes. */
export function stillWaiting({ message }: Error): string {
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} Still waiting.`;
}
