import type { System } from '../../base/system/system.ts';
import type { WireReply } from '../../base/system/wire.ts';

/** A moment by two clocks, in whole milliseconds since 1970. */
export interface Moment {
  /** By this machine's clock, or by the sandbox's with `--sandbox`. */
  readonly here: number;
  /** By the service's clock; undefined if no response has shown it yet. */
  readonly service: number | undefined;
}

export type Clocks = ReturnType<typeof createClocks>;

/**
 * The time on this machine, from `now`, and at the service. Either clock may be wrong, and may be corrected
 * at any moment. A service expires keys by its own clock, shown in the `Date` of its responses.
 */
export function createClocks(now: () => number, { monotonic }: Pick<System, 'monotonic'>) {
  const instant = () => ({ here: now(), at: monotonic() });
  type Instant = ReturnType<typeof instant>;
  let last:
    | { readonly service: number; readonly left: Instant; readonly came: Instant }
    | undefined;
  return {
    /** Listens to requests that are sent one after the other, and to their responses. */
    listen() {
      let left = instant();
      return {
        onSend: (): void => {
          left = instant();
        },
        onResponse: (reply: WireReply): void => {
          const service = dateOf(reply);
          if (service !== undefined) last = { service, left, came: instant() };
        },
      };
    },
    // The monotonic clock may stop while the machine sleeps, but never runs ahead.
    /** Now, at the earliest: what is sent later reaches the service after this. */
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
 * The service's clock when it responded; undefined if the response has no date. A cached response gives its
 * age in `Age` (RFC 9111, 5.1).
 */
export function dateOf(reply: WireReply): number | undefined {
  if (isOfProxy(reply)) return undefined;
  const { date = '', age = '' } = reply.headers;
  const shown = Date.parse(date);
  if (Number.isNaN(shown)) return undefined;
  return /^\d{1,9}$/.test(age) ? shown + Number(age) * 1000 : shown;
}

/** Whether a proxy responded in place of the service, with a clock of its own. */
export function isOfProxy({ status, headers }: WireReply): boolean {
  return status >= 500 && !/\bjson\b/.test(headers['content-type'] ?? '');
}
