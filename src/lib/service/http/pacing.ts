import type { System } from '../../base/system/system.ts';
import type { WireReply } from '../../base/system/wire.ts';

type PacedSystem = Pick<System, 'now' | 'monotonic' | 'sleep' | 'signal'>;

export type Pacing = ReturnType<typeof createPacing>;

/** That a request may not be sent in time. */
interface Postponed {
  /** Milliseconds until it may be sent. */
  readonly asked: number;
  readonly end?: undefined;
}

/** The right to send one request. */
export interface Turn {
  /** Called once: with the response, or with undefined if there was none. */
  end(reply: WireReply | undefined): void;
}

/** Longest pause before a request, in milliseconds. Rate-limit windows are short. */
const longestPace = 60_000;

/**
 * The length of the service's windows, in milliseconds. They start whenever the service chooses.
 */
const window = 1000;

/** Milliseconds added to a window, because some requests take longer to arrive than others. */
const slack = 20;

/**
 * A window that ends within so many milliseconds may be one second long: the service gives its end
 * in whole seconds.
 */
const longestShown = 2000;

/** One process cannot reach a higher limit (requests per window), so it counts as none. */
const highestLimit = 1000;

/** How much of its share a process keeps after a 429: somebody else uses the account, too. */
const leftByRefusal = 0.8;

/**
 * How much of its share a process regains after each full window without a 429. At least half a
 * request: with a limit of two, this part alone would take a minute to become one request.
 */
const regained = 0.05;
const leastRegained = 0.5;

/**
 * Pacing for the requests of one client, which share one limit. No second has more requests than
 * the limit, wherever the service's windows start. Requests of others count, too.
 */
export function createPacing() {
  let notBefore = 0;
  let limit: number | undefined;
  let share = 1;
  let refusedAt = Number.NEGATIVE_INFINITY;
  /** When requests were sent, in order, including those of others. */
  let sent: number[] = [];
  let last: Promise<unknown> = Promise.resolve();
  /** Settles with the first response: the limit is unknown until then. */
  let first: Promise<void> | undefined;

  const pauseAt = (now: number): number => {
    // A service may ask for any number of years.
    notBefore = Math.min(notBefore, now + longestPace);
    sent = sent.filter((at) => at > now - window - slack);
    const allowed = limit === undefined ? Number.POSITIVE_INFINITY : atLeastOne(limit * share);
    const full = sent.at(-allowed);
    const free = full === undefined ? now : full + window + slack;
    return Math.max(notBefore - now, free - now, 0);
  };

  const note = (reply: WireReply, sentAt: number, system: PacedSystem) => {
    const now = system.monotonic();
    const today = system.now();
    const refused = reply.status === 429 || reply.status >= 500;
    const pause = refused ? retryAfter(reply, today) : undefined;
    if (pause !== undefined) notBefore = Math.max(notBefore, now + pause);
    limit = limitOf(reply, limit);
    const remaining = Number(reply.headers['x-ratelimit-remaining'] || Number.NaN);
    const left = windowLeft(reply, today) ?? 0;
    if (remaining <= 0 && (limit === undefined || left > longestShown)) {
      notBefore = Math.max(notBefore, now + left);
    }
    if (limit === undefined) {
      sent = [];
      return;
    }
    if (reply.status === 429) {
      // Below one request per window, it would only take longer to recover.
      if (now - refusedAt >= window) share = Math.max(share * leftByRefusal, 1 / limit);
      refusedAt = now;
    } else {
      const inWindow = Math.max(regained, leastRegained / limit);
      share = Math.min(1, share + inWindow / atLeastOne(limit * share));
    }
    if (left === 0) return;
    const ours = sent.filter((at) => at > sentAt - window).length;
    const byOthers = Math.min(limit - remaining, limit) - ours;
    for (let count = 0; count < byOthers; count++) sent.push(sentAt);
    if (byOthers > 0) sent.sort((one, other) => one - other);
  };

  const wait = async (
    system: PacedSystem,
    deadline: number,
    longest: number,
  ): Promise<Turn | Postponed> => {
    await first;
    let left = longest;
    for (;;) {
      const now = system.monotonic();
      const pause = pauseAt(now);
      if (now + pause >= deadline || pause > left) return { asked: pause };
      if (pause === 0) break;
      left -= pause;
      await system.sleep(pause, system.signal);
    }
    const sentAt = system.monotonic();
    let known = () => {};
    if (first === undefined || limit !== undefined) sent.push(sentAt);
    first ??= new Promise((resolve) => {
      known = resolve;
    });
    return {
      end(reply) {
        known();
        if (reply !== undefined) note(reply, sentAt, system);
      },
    };
  };

  return {
    /**
     * Resolves when the next request may be sent, in the order of calls; with the milliseconds to wait
     * if that is not before `deadline`, or more than `longest` once it is the next.
     */
    turn(system: PacedSystem, deadline: number, longest = Number.POSITIVE_INFINITY) {
      const mine = last.then(() => wait(system, deadline, longest));
      last = mine.catch(() => {});
      return mine;
    },
  };
}

/**
 * Milliseconds that a response asks to wait: `Retry-After` (seconds or an HTTP date); else, for a 429, until the
 * rate-limit window ends. Undefined if it does not say. `now` is milliseconds since 1970.
 */
export function askedPause(reply: WireReply, now: number): number | undefined {
  return retryAfter(reply, now) ?? (reply.status === 429 ? windowLeft(reply, now) : undefined);
}

/** `X-RateLimit-Limit`, if usable. Responses of proxies do not have it and change nothing. */
function limitOf(reply: WireReply, before: number | undefined): number | undefined {
  const header = reply.headers['x-ratelimit-limit'];
  if (header === undefined) return before;
  const limit = Number(header);
  return Number.isInteger(limit) && limit > 0 && limit <= highestLimit ? limit : undefined;
}

function atLeastOne(requests: number): number {
  return Math.max(1, Math.floor(requests));
}

/**
 * Milliseconds until `X-RateLimit-Reset` (epoch seconds), by the service's clock: ours may be
 * wrong.
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
  // The Date header has whole seconds. If our clock agrees, it is more precise.
  return Number.isNaN(date) || Math.abs(date - now) < 2000 ? now : date;
}
