import type { System } from '../../system/system.ts';
import type { WireReply } from '../../system/wire.ts';

/** A moment by two clocks, in whole milliseconds since 1970. */
export interface Moment {
  /** By this machine's clock, or the one that stands for it with `--sandbox`. */
  readonly here: number;
  /** By the service's; undefined where it has not shown one. */
  readonly service: number | undefined;
}

/**
 * The time on this machine and at the service. Either clock may be wrong, and be corrected at any
 * moment. A service expires keys by its own clock, shown in the `Date` of its responses.
 */
export interface Clocks {
  /** Follows one request after the other, and notes what time their responses show. */
  listen(): Listener;
  /** Now, at the earliest: what goes out reaches the service after this. */
  earliest(): Moment;
  /** Now, at the latest. */
  latest(): Moment;
}

/** Is told of each request that leaves, and of its response. */
export interface Listener {
  leaves(): void;
  heard(reply: WireReply): void;
}

/** `now` is the clock of this machine, in milliseconds since 1970. */
export function createClocks(now: () => number, { monotonic }: Pick<System, 'monotonic'>): Clocks {
  const instant = () => ({ here: now(), at: monotonic() });
  type Instant = ReturnType<typeof instant>;
  let last:
    | { readonly service: number; readonly left: Instant; readonly came: Instant }
    | undefined;
  return {
    listen() {
      let left = instant();
      return {
        leaves: () => {
          left = instant();
        },
        heard: (reply) => {
          const service = dateOf(reply);
          if (service !== undefined) last = { service, left, came: instant() };
        },
      };
    },
    // The monotonic clock may stand still while the machine sleeps, but never runs ahead.
    earliest: () => ({
      here: now(),
      service: last && Math.floor(last.service + monotonic() - last.came.at),
    }),
    latest() {
      const here = now();
      if (last === undefined) return { here, service: undefined };
      // The program may have been stopped between the response and now.
      const since = Math.max(monotonic() - last.left.at, here - last.left.here);
      return { here, service: Math.ceil(last.service + since) };
    },
  };
}

/**
 * The service's clock when it responded; undefined where the response has no date. A cached response
 * gives its age in `Age` (RFC 9111, 5.1).
 */
function dateOf(reply: WireReply): number | undefined {
  if (isOfProxy(reply)) return undefined;
  const { date = '', age = '' } = reply.headers;
  const shown = Date.parse(date);
  if (Number.isNaN(shown)) return undefined;
  return /^\d{1,9}$/.test(age) ? shown + Number(age) * 1000 : shown;
}

/** Whether a proxy answers in place of the service, by a clock of its own. */
export function isOfProxy({ status, headers }: WireReply): boolean {
  return status >= 500 && !/\bjson\b/.test(headers['content-type'] ?? '');
}
