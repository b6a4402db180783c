import { mayAskToConfirm } from '../../api/contact.ts';
import { positionsOf } from '../bulk/send/part-emails.ts';
import { firstPause, isPassing, longerPause, stillWaiting } from '../command/poll.ts';
import { grouped } from '../text/quantity.ts';
import { findInBook } from './find-in-book.ts';
import type { Sending } from './sending.ts';

/** Why the outcome of a contact is unknown. */
export const noResponse =
  'it may still arrive: there was no response to its request, and it is not in the book yet';

/** Parts looked up concurrently, so that one is processed while another is on its way. */
const atOnce = 2;

/** After this many parts in a row without an arrival, the queue has probably not come further. */
const enoughWithout = 2;

/** A part whose contacts have not all arrived; its contacts are read from the journal when needed. */
interface Awaited {
  readonly id: number;
  /** Positions of contacts not yet in the book; undefined before the first look-up. */
  missing?: readonly number[];
  /** Ids of contacts in the book, by position. */
  readonly ids: Map<number, string>;
}

/**
 * Looks up queued contacts until the book has all of them as sent, or none has arrived for `timeout`
 * milliseconds. Look-ups count towards the rate limit: only missing contacts are looked up, less and less
 * often, and no further than the queue has come.
 *
 * A later process waits for contacts that are still missing. But those whose request had no response and
 * must not be repeated become `unknown`.
 */
export async function awaitArrival(
  sending: Sending,
  timeout: number,
  arrived: (contacts: number) => void,
): Promise<void> {
  const { context, run } = sending;
  const { system, report } = context;
  const { journal } = run;
  let open: Awaited[] = journal.unansweredIds().map((id) => ({ id, ids: new Map() }));
  let last = system.monotonic();
  let pause = firstPause / 4;
  /** Looks up the missing contacts of a part; returns how many have arrived. */
  const look = async (one: Awaited): Promise<number> => {
    const [part] = journal.unanswered(one.id - 1, 1);
    // It arrived in a round that ended with an error.
    if (part?.id !== one.id) {
      one.missing = [];
      return 0;
    }
    const all = positionsOf(part);
    const before = one.ids.size;
    let more = 0;
    try {
      for await (const step of findInBook(sending, part, one.missing)) {
        for (const { position, found, isAsSent } of step) {
          if (isAsSent) one.ids.set(position, found.id);
        }
      }
    } finally {
      one.missing = all.filter((position) => !one.ids.has(position));
      more = one.ids.size - before;
      if (more > 0) last = system.monotonic();
      arrived(more);
      if (one.missing.length === 0) {
        const ids = all.map((position) => one.ids.get(position) ?? '');
        journal.accept([{ part: one.id, ids }]);
        // The journal has them now, and a million would take 70 MiB.
        one.ids.clear();
      }
    }
    return more;
  };
  const lookAtAll = async (isLast: boolean): Promise<boolean> => {
    let isAny = false;
    let without = 0;
    const late: Awaited[] = [];
    const rest = [...open];
    try {
      while (rest.length > 0 && (isLast || without < enoughWithout)) {
        const some = rest.slice(0, atOnce);
        // Let all of them end before throwing, because the caller then closes the journal.
        const looks = await Promise.allSettled(some.map(look));
        const failed = looks.find(({ status }) => status === 'rejected');
        if (failed?.status === 'rejected') throw failed.reason;
        rest.splice(0, some.length);
        const found = looks.some((one) => one.status === 'fulfilled' && one.value > 0);
        isAny ||= found;
        without = found ? 0 : without + some.length;
        late.push(...some.filter(({ missing }) => missing?.length !== 0));
      }
    } finally {
      // Parts that do not arrive go last, so that they do not hold up the others.
      open = [...rest, ...late];
    }
    return isAny;
  };
  const waitForAll = async (): Promise<void> => {
    while (open.length > 0) {
      const left = last + timeout - system.monotonic();
      const isLast = left <= 0;
      try {
        if (await lookAtAll(isLast)) {
          pause = firstPause / 4;
          continue;
        }
        if (isLast) return;
      } catch (error) {
        if (!isPassing(error) || isLast) throw error;
        report(stillWaiting(error));
      }
      report(`Waiting for ${grouped(journal.counts().begun)} contacts to arrive`, '');
      await system.sleep(Math.max(Math.min(pause, left), 1), system.signal);
      pause = longerPause(pause);
    }
  };
  /** Records which contacts of incomplete parts have arrived. */
  const record = (isOver: boolean): void => {
    for (const { id, ids } of open) {
      const [part] = journal.unanswered(id - 1, 1);
      if (part?.id !== id) continue;
      const isUnknown = part.ids === undefined && mayAskToConfirm(sending.book);
      if (isUnknown ? !isOver : ids.size === 0) continue;
      const positions = positionsOf(part).filter((position) => !ids.has(position));
      const rest = { positions, problem: noResponse };
      journal.divide(part, {
        accepted: { positions: [...ids.keys()], ids: [...ids.values()] },
        unknown: isUnknown ? rest : { ...rest, positions: [] },
        untaken: { positions: [], problem: undefined },
        ...(isUnknown ? {} : { waiting: rest }),
      });
    }
  };
  try {
    await waitForAll();
  } catch (error) {
    record(false);
    throw error;
  }
  record(true);
}
