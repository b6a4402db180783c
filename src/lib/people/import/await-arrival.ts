import { grouped } from '../../base/text/quantity.ts';
import {
  firstPause,
  isTransient,
  longerPause,
  stillWaiting,
} from '../../command-line/command/poll.ts';
import { arrive, changeFound, findInBook } from './find-in-book.ts';
import { contactsOf } from './parts.ts';
import type { Sending } from './sending.ts';

/** Parts looked up concurrently, so that one is processed while another is on its way. */
const atOnce = 2;

/** After this many parts in a row without an arrival, the queue has probably not come further. */
const enoughWithout = 2;

interface Wait {
  /** Milliseconds without an arrival. */
  readonly timeout: number;
  /** The same once only contacts are missing that an earlier import sent. */
  readonly ofEarlier: number;
  /** Whether also for contacts that an earlier import waited for in vain. */
  readonly forUnknown: boolean;
  readonly arrived: (contacts: number) => void;
}

/**
 * Looks up contacts that were sent until the book has all of them as sent, or none has arrived for
 * long enough. Look-ups count towards the rate limit: only missing contacts are looked up, less and less
 * often, and no further than the queue has come.
 *
 * What an earlier import sent may differ from the file, and is changed once the book has it.
 */
export async function awaitArrival(
  sending: Sending,
  { timeout, ofEarlier, forUnknown, arrived }: Wait,
): Promise<void> {
  const { context, parts, ledger } = sending;
  const { system, report } = context;
  const states = ['begun', 'queued', ...(forUnknown ? (['unknown'] as const) : [])] as const;
  let open = parts.idsOf(...states);
  let last = system.monotonic();
  let pause = firstPause / 4;
  /** Looks up the contacts of a part; returns how many have arrived. */
  const look = async (id: number): Promise<number> => {
    const part = parts.find(id);
    if (part === undefined) return 0;
    const ids = new Map<number, string>();
    let more = 0;
    try {
      for await (const one of findInBook(sending, part)) {
        if (one.isAsSent) ids.set(one.row, one.found.id);
        else if (part.earlier) ids.set(one.row, await changeFound(sending, one));
      }
    } finally {
      more = arrive(sending, part, ids);
      if (more > 0) last = system.monotonic();
      arrived(more);
    }
    return more;
  };
  const lookAtAll = async (isLast: boolean): Promise<boolean> => {
    let isAny = false;
    let without = 0;
    const late: number[] = [];
    const rest = [...open];
    try {
      while (rest.length > 0 && (isLast || without < enoughWithout)) {
        const some = rest.slice(0, atOnce);
        // Let all of them end before throwing, because the caller then closes the database.
        const looks = await Promise.allSettled(some.map(look));
        const failed = looks.find(({ status }) => status === 'rejected');
        if (failed?.status === 'rejected') throw failed.reason;
        rest.splice(0, some.length);
        const found = looks.some((one) => one.status === 'fulfilled' && one.value > 0);
        isAny ||= found;
        without = found ? 0 : without + some.length;
        late.push(...some.filter((id) => parts.find(id) !== undefined));
      }
    } finally {
      // Parts that do not arrive go last, so that they do not hold up the others.
      open = [...rest, ...late];
    }
    return isAny;
  };
  while (open.length > 0) {
    const isEarlier = open.every((id) => parts.find(id)?.earlier !== false);
    const left = last + (isEarlier ? ofEarlier : timeout) - system.monotonic();
    const isLast = left <= 0;
    try {
      if (await lookAtAll(isLast)) {
        pause = firstPause / 4;
        continue;
      }
      if (isLast) break;
    } catch (error) {
      if (!isTransient(error) || isLast) throw error;
      report(stillWaiting(error));
    }
    report(`Waiting for ${grouped(parts.count(...states).contacts)} contacts to arrive`, '');
    await system.sleep(Math.max(Math.min(pause, left), 1), system.signal);
    pause = longerPause(pause);
  }
  // The next import does not wait for them, too.
  for (const id of parts.idsOf('begun')) {
    const part = parts.find(id);
    if (part !== undefined)
      ledger?.note(
        contactsOf(part).map(({ contact }) => contact.email),
        'unknown',
      );
  }
}
