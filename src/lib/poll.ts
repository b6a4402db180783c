import { RateLimitedError, UnavailableError } from './errors.ts';

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

/** What `--wait-timeout` and `--interval` ask for. Throws a `UsageError` for what is no duration. */
export async function pollingOf(
  { waitTimeout, interval }: { waitTimeout?: string | undefined; interval?: string | undefined },
  defaultTimeout: number,
): Promise<Polling> {
  const { parseDuration } = await import('./when.ts');
  return {
    timeout:
      waitTimeout === undefined ? defaultTimeout : parseDuration(waitTimeout, '--wait-timeout'),
    interval: interval === undefined ? undefined : parseDuration(interval, '--interval'),
  };
}

/**
 * Milliseconds that a wait may last beyond its time: what is asked for when time is up needs a
 * moment to be answered.
 */
export const lastLook = 1000;

/** The pause after a look that has found nothing new. */
export function longer(pause: number): number {
  return Math.min(pause * 1.5, longestPause);
}

/** Whether an error is only another reason to wait: the service is away, or busy. */
export function isPassing(error: unknown): error is UnavailableError | RateLimitedError {
  return error instanceof UnavailableError || error instanceof RateLimitedError;
}

/** That such an error is waited out. Its message may be the service's, and end as it likes. */
export function stillWaiting({ message }: Error): string {
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} Still waiting.`;
}
