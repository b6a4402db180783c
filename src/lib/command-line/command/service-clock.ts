import type { WireReply } from '../../base/system/wire.ts';
import type { Notes } from '../../base/terminal/notes.ts';
import { dateOf } from '../../service/http/clocks.ts';

/** How far apart the clocks of this machine and the service may be, in milliseconds. */
const tolerance = 60_000;

/** Before this, and a hundred years later, no service responds. */
const earliest = Date.parse('2020-01-01T00:00:00Z');
const latest = Date.parse('2120-01-01T00:00:00Z');

/** Ends a command that has read a time by this machine's clock, so that it is run again by the service's. */
export class ClockDiffers extends Error {
  /** By how much the service is ahead, in milliseconds. */
  readonly ahead: number;

  constructor(ahead: number) {
    super('the clocks differ');
    this.ahead = ahead;
  }
}

interface ServiceClockOptions {
  /** This machine's clock, or the sandbox's with `--sandbox`. */
  readonly here: () => Promise<() => number>;
  readonly notes: Notes;
  /** By how much the service is ahead, if that is known. */
  readonly ahead: number | undefined;
  /** Sends a request whose response shows the time, or throws if nobody responds. Undefined in a dry run. */
  readonly ask: (() => Promise<void>) | undefined;
  readonly timeZone: () => Promise<string>;
}

/**
 * The service's clock as its responses show it. With this machine's clock behind, an email for tomorrow would leave at
 * once; with it ahead, a look at the last hour would find nothing.
 */
export function createServiceClock({ here, notes, ahead, ask, timeZone }: ServiceClockOptions) {
  let known = ahead;
  let isFollowed = false;
  let isTold = false;

  async function tell(now: number, by: number): Promise<void> {
    if (isTold || by === 0) return;
    isTold = true;
    const [{ formatInstant }, { duration }] = await Promise.all([
      import('../../base/text/local-time.ts'),
      import('../../base/text/time-in-words.ts'),
    ]);
    const there = formatInstant(new Date(Math.round((now + by) / 1000) * 1000), await timeZone());
    const way = by > 0 ? 'behind' : 'ahead of';
    notes.warn(
      `This machine's clock is ${duration(Math.round(Math.abs(by) / 60_000) * 60_000)} ${way} the service's, which says ${there}. Times are read by the service's clock.`,
    );
  }

  return {
    /** Listens to each response. Throws `ClockDiffers` if a time has been read by the wrong clock. */
    onResponse(reply: WireReply, now: number): void {
      if (known !== undefined) return;
      const date = dateOf(reply);
      if (date === undefined || date < earliest || date > latest) return;
      known = Math.abs(date - now) > tolerance ? date - now : 0;
      if (isFollowed && known !== 0) throw new ClockDiffers(known);
    },
    /**
     * The clock for a time that somebody gave. With `ask`, it is the service's; otherwise this machine's until a response
     * shows another time.
     */
    async now(how: 'ask' | 'follow'): Promise<() => number> {
      const machine = await here();
      if (known === undefined && how === 'ask' && ask !== undefined) {
        await ask();
        if (known === undefined) {
          notes.warn(
            "The service's responses show no time, so times are read by this machine's clock.",
          );
          known = 0;
        }
      }
      isFollowed ||= known === undefined && ask !== undefined;
      const by = known ?? 0;
      await tell(machine(), by);
      return () => machine() + by;
    },
    /** By how much the service is ahead, in milliseconds, as far as a response has shown it. */
    ahead: (): number => known ?? 0,
  };
}
