/** The values of `X-RateLimit-*` for one request. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970 at which the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/** Reported if there is no limit. */
const noLimit = 1_000_000;

/**
 * Counts requests in fixed windows of one second, as live servers do, in this process alone.
 * Without `perSecond`, there is no limit.
 */
export function createRateLimit(perSecond: number | undefined): (now: number) => RateLimitState {
  const limit = perSecond ?? noLimit;
  let windowStart = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (now) => {
    // A clock that was set back starts a new window too.
    if (now < windowStart || now >= windowStart + 1000) {
      windowStart = now;
      count = 0;
    }
    count++;
    return {
      limit,
      remaining: Math.max(0, limit - count),
      reset: Math.ceil((windowStart + 1000) / 1000),
      exceeded: perSecond !== undefined && count > limit,
    };
  };
}

/** The headers of an authenticated response; none without a state. */
export function rateLimitHeaders(state: RateLimitState | undefined): Record<string, string> {
  if (state === undefined) return {};
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(state.reset),
    ...(state.exceeded ? { 'Retry-After': '1' } : {}),
  };
}

export type RateLimit = ReturnType<typeof adjustableRateLimit>;

/**
 * A limit that can be changed, in terms of `now` (milliseconds since 1970), the clock of the clients, which wait for the
 * reset.
 */
export function adjustableRateLimit(first: number | undefined, now: () => number) {
  let perSecond = first;
  let count = createRateLimit(first);
  const set = (limit: number | undefined) => {
    perSecond = limit;
    count = createRateLimit(limit);
  };
  return {
    /** Requests per second; undefined for no limit. */
    perSecond: () => perSecond,
    /** Starts a new window with another limit. */
    set,
    /** Restores the initial limit. */
    reset: () => set(first),
    /** Counts a request. */
    count: () => count(now()),
  };
}

/** Whether this is a whole number from 1 up to the highest limit. */
export function isRateLimit(perSecond: number): boolean {
  return Number.isInteger(perSecond) && perSecond >= 1 && perSecond < noLimit;
}

/** Reads `2/s` or `2`; undefined for other texts. */
export function parseRateLimit(text: string): number | undefined {
  const [, digits] = /^(\d{1,6})(?:\/s)?$/.exec(text) ?? [];
  const perSecond = Number(digits ?? Number.NaN);
  return isRateLimit(perSecond) ? perSecond : undefined;
}
