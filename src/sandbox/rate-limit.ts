/** What `X-RateLimit-*` says of one request. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since 1970 at which the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/** Shown when there is no limit, as a number that nobody reaches. */
const noLimit = 1_000_000;

/**
 * Counts requests in fixed windows of one second, as live servers do; without `perSecond` none is
 * ever too many. The count is this process's own.
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

/** The headers that every authenticated answer carries, others (without a state) none. */
export function rateLimitHeaders(state: RateLimitState | undefined): Record<string, string> {
  if (state === undefined) return {};
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(state.reset),
    ...(state.exceeded ? { 'Retry-After': '1' } : {}),
  };
}
