import { MailerError } from '../../base/errors.ts';
import { parseDuration } from '../../base/input/duration.ts';

/** How to poll; times in milliseconds. */
export type Polling = ReturnType<typeof pollingOf>;

/** Milliseconds between the first two polls, and at most between two. */
export const firstPause = 2000;
const longestPause = 30_000;

/** The flag `--wait-timeout`, as in help. `standard` is the default. */
export function waitTimeoutFlag(standard: string) {
  return ['--wait-timeout <duration>', `how long to wait (default: ${standard})`] as const;
}

/** The flag `--interval`, as in help. */
export const intervalFlag = [
  '--interval <duration>',
  'how often to check (default: after 2s, then less often)',
] as const;

/** The flag `--heartbeat`, as in help. */
export const heartbeatFlag = [
  '--heartbeat <duration>',
  'in pipes, a line this often; 0 for none (default: 1m)',
] as const;

/**
 * Reads `--wait-timeout`, `--interval` and `--heartbeat`. Without `standard`, a default duration, waiting has no
 * end.
 */
export function pollingOf(
  flags: {
    waitTimeout?: string | undefined;
    interval?: string | undefined;
    heartbeat?: string | undefined;
  },
  standard?: string,
) {
  const { interval, heartbeat = '1m' } = flags;
  const timeout = flags.waitTimeout ?? standard;
  return {
    /** After which polling ends. */
    timeout:
      timeout === undefined ? Number.POSITIVE_INFINITY : parseDuration('--wait-timeout')(timeout),
    /** Between two polls; undefined for growing pauses. */
    interval: interval === undefined ? undefined : parseDuration('--interval')(interval),
    /** After which a line says that the wait goes on, if there was no other line. */
    heartbeat:
      heartbeat === '0' ? Number.POSITIVE_INFINITY : parseDuration('--heartbeat')(heartbeat),
  };
}

/** Milliseconds that a wait may exceed its timeout, so that the last poll can get a response. */
export const lastLook = 1000;

/** The next pause after a poll without news. */
export function longerPause(pause: number, longest = longestPause): number {
  return Math.min(pause * 1.5, longest);
}

/** Whether an error is temporary: the service is down or busy, or a page stands in for it. */
export function isTransient(error: unknown): error is MailerError {
  if (!(error instanceof MailerError)) return false;
  return ['unavailable', 'rate_limited'].includes(error.code) || error.details.lasts === false;
}

/** The note about such an error. */
export function stillWaiting({ message }: Error): string {
  return `${asSentence(message)} Still waiting.`;
}

/** A message as a sentence: it may be the service's, and end with any character. */
export function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
