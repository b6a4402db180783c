import type { System } from '../../system/system.ts';
import type { WireReply } from '../../system/wire.ts';

/** A moment by two clocks, in whole milliseconds since 1970. */
export interface Moment {
  /** By this machine's clock, or the one that stands for it with `--sandbox`. */
  readonly here: number;
  /** By the service's; undefined where it has not shown one. */
  readonly service: number | undefined;
}

export type Clocks = ReturnType<typeof createClocks>;

/**
 * The time on this machine, which `now` tells, and at the service. Either clock may be wrong, and be
 * corrected at any moment. A service expires keys by its own clock, shown in the `Date` of its responses.
 */
export function createClocks(now: () => number, { monotonic }: Pick<System, 'monotonic'>) {
  const instant = () => ({ here: now(), at: monotonic() });
  type Instant = ReturnType<typeof instant>;
  let last:
    | { readonly service: number; readonly left: Instant; readonly came: Instant }
    | undefined;
  return {
    /** Is told of requests that leave, one after the other, and of their responses. */
    listen() {
      let left = instant();
      return {
        leaves: (): void => {
          left = instant();
        },
        heard: (reply: WireReply): void => {
          const service = dateOf(reply);
          if (service !== undefined) last = { service, left, came: instant() };
        },
      };
    },
    // The monotonic clock may stand still while the machine sleeps, but never runs ahead.
    /** Now, at the earliest: what is sent reaches the service after this. */
    earliest: (): Moment => ({
      here: now(),
      service: last && Math.floor(last.service + monotonic() - last.came.at),
    }),
    /** Now, at the latest. */
    latest(): Moment {
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
