import type { System } from './system.ts';
import type { WireReply } from './wire.ts';

/** Longest pause before a request, in milliseconds; rate-limit windows are short. */
const longestPace = 60_000;

/**
 * Keeps a process within the service's rate limit: when an answer says that nothing remains of
 * the current window, the next request waits for the next one instead of earning a 429. A refusal
 * with `Retry-After` holds back later requests as well as its own repetition.
 */
export interface Pacing {
  /** Reads from an answer that arrived at `now` (ms) how long the next request has to wait. */
  note(reply: WireReply, now: number): void;
  /**
   * Resolves with true when the next request may go out; with false, at once, when that is not
   * before `deadline` (milliseconds since 1970).
   */
  ready(system: Pick<System, 'now' | 'sleep' | 'signal'>, deadline: number): Promise<boolean>;
  /**
   * Milliseconds the answer asks to wait: `Retry-After` (seconds or an HTTP date), else, for a
   * 429, the end of the rate-limit window. Undefined when it does not say.
   */
  askedPause(reply: WireReply, now: number): number | undefined;
}

/** Pacing for the requests of one client, which share one limit. */
export function createPacing(): Pacing {
  let notBefore = 0;
  return {
    note(reply, now) {
      const spent = Number(reply.headers['x-ratelimit-remaining'] ?? 1) <= 0;
      const refused = reply.status === 429 || reply.status >= 500;
      const pauses = [
        spent ? windowLeft(reply, now) : undefined,
        refused ? retryAfter(reply, now) : undefined,
      ].filter((pause) => pause !== undefined);
      if (pauses.length > 0) notBefore = now + Math.min(Math.max(...pauses), longestPace);
    },
    async ready(system, deadline) {
      const now = system.now();
      // A clock that was set back must not stretch the pause.
      const pause = Math.min(Math.max(0, notBefore - now), longestPace);
      if (now + pause >= deadline) return false;
      if (pause > 0) await system.sleep(pause, system.signal);
      return true;
    },
    askedPause(reply, now) {
      return retryAfter(reply, now) ?? (reply.status === 429 ? windowLeft(reply, now) : undefined);
    },
  };
}

/**
 * Milliseconds until `X-RateLimit-Reset` (epoch seconds), measured on the service's own clock
 * where it shows one, so that a wrong clock here does not stretch the pause.
 */
function windowLeft(reply: WireReply, now: number): number | undefined {
  const reset = Number(reply.headers['x-ratelimit-reset'] ?? Number.NaN);
  if (!Number.isFinite(reset)) return undefined;
  return Math.min(Math.max(reset * 1000 - serverTime(reply, now), 0), longestPace);
}

function retryAfter(reply: WireReply, now: number): number | undefined {
  const value = reply.headers['retry-after'];
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(date - serverTime(reply, now), 0);
}

function serverTime(reply: WireReply, now: number): number {
  const date = Date.parse(reply.headers.date ?? '');
  // The Date header has whole seconds; close to ours, ours is the finer one.
  return Number.isNaN(date) || Math.abs(date - now) < 2000 ? now : date;
}
