import type { Store } from '../store/store.ts';
import { moveClock, sandboxClock } from './clock.ts';
import { iso } from './iso.ts';

/** Counts of what happened while the clock advanced. Times are milliseconds since 1970. */
export interface Advanced {
  readonly from: number;
  readonly now: number;
  /** Sent emails: scheduled ones, and those of campaigns. */
  readonly emails: number;
  readonly events: number;
  /** Finished campaigns. */
  readonly campaigns: number;
  /** Contacts of bulk requests that were stored. */
  readonly contacts: number;
  /** Domain verifications that ended. */
  readonly domains: number;
  /** Expired idempotency keys. */
  readonly idempotencyKeys: number;
}

/** The same with times as ISO 8601. */
export function shownAdvanced({ from, now, ...happened }: Advanced) {
  return { from: iso(from), now: iso(now), ...happened };
}

/** Years of the API's dates have four digits. */
const endOfTime = Date.UTC(10_000, 0);

export class ClockOutOfRange extends Error {
  constructor() {
    super('The clock cannot go past the year 9999');
  }
}

interface AdvanceOptions {
  readonly store: Store;
  /** The real clock: milliseconds since 1970. */
  readonly real: () => number;
  /** Milliseconds to advance the clock; more than 0. */
  readonly by: number;
  /** Runs the due jobs. */
  readonly carryOut: () => void | Promise<void>;
}

/**
 * Advances the sandbox's clock and runs the jobs due by then: scheduled mail is sent, campaigns and
 * verifications continue, queued contacts are stored, idempotency keys expire. Jobs run in order, each at the
 * time at which it was due. Throws `ClockOutOfRange`.
 */
export async function advance(options: AdvanceOptions): Promise<Advanced> {
  const { store, real, by, carryOut } = options;
  const clock = sandboxClock(store, real);
  // Jobs that were due before are not counted.
  await carryOut();
  const before = look(store);
  const from = store.write(() => {
    const from = clock();
    if (from + by >= endOfTime) throw new ClockOutOfRange();
    moveClock(store, by);
    return from;
  });
  await carryOut();
  const now = clock();
  const idempotencyKeys = store.write(() =>
    store.run('DELETE FROM idempotency WHERE expires_at <= ?', now),
  );
  const after = look(store);
  return {
    from,
    now,
    emails: before.scheduled - after.scheduled + after.stored - before.stored,
    events: after.happened - before.happened,
    campaigns: after.campaigns - before.campaigns,
    contacts: before.queued - after.queued,
    domains: before.verifying - after.verifying,
    idempotencyKeys,
  };
}

function look(store: Store) {
  type Look = 'scheduled' | 'stored' | 'happened' | 'campaigns' | 'queued' | 'verifying';
  const found = store.one<Record<Look, number>>(`SELECT
    (SELECT count(*) FROM jobs WHERE kind = 'email.release') AS scheduled,
    (SELECT count(*) FROM emails) AS stored,
    (SELECT count(*) FROM events) AS happened,
    (SELECT count(*) FROM campaigns WHERE status = 'SENT') AS campaigns,
    (SELECT count(*) FROM jobs WHERE kind = 'contact.store') AS queued,
    (SELECT count(*) FROM jobs WHERE kind = 'domain.verified') AS verifying`);
  if (found === undefined) throw new Error('A SELECT of counts has one row');
  return found;
}
