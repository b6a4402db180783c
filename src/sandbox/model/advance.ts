import type { Store } from '../store/store.ts';
import { moveClock, sandboxClock } from './clock.ts';

/** What happened while the clock advanced. Times are milliseconds since 1970. */
export interface Advanced {
  readonly from: number;
  readonly now: number;
  /** How many emails were sent: scheduled ones, and those of campaigns. */
  readonly emails: number;
  /** How many events were added. */
  readonly events: number;
  /** How many campaigns finished. */
  readonly campaigns: number;
  /** How many domain verifications ended. */
  readonly domains: number;
  /** How many idempotency keys were deleted. */
  readonly idempotencyKeys: number;
}

/** The same for people and programs, with times as ISO 8601. */
export function shownAdvanced({ from, now, ...happened }: Advanced) {
  return { from: new Date(from).toISOString(), now: new Date(now).toISOString(), ...happened };
}

/** The latest time: dates of the contract have years of four digits. */
const endOfTime = Date.UTC(10_000, 0);

/** The clock would have to go past the year 9999. */
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
  /** Processes what has become due. */
  readonly carryOut: () => void | Promise<void>;
}

/**
 * Advances the sandbox's clock and runs the jobs that are due by then: scheduled mail is sent,
 * campaigns and verifications continue, idempotency keys expire. Each job runs in order and at the
 * time at which it was due. Throws `ClockOutOfRange`.
 */
export async function advance(options: AdvanceOptions): Promise<Advanced> {
  const { store, real, by, carryOut } = options;
  const clock = sandboxClock(store, real);
  // What was due before is not counted.
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
    events: after.events - before.events,
    campaigns: after.campaigns - before.campaigns,
    domains: before.verifying - after.verifying,
    idempotencyKeys,
  };
}

interface Look {
  scheduled: number;
  stored: number;
  events: number;
  campaigns: number;
  verifying: number;
}

function look(store: Store): Look {
  const found = store.one<Look>(`SELECT
    (SELECT count(*) FROM jobs WHERE kind = 'email.release') AS scheduled,
    (SELECT count(*) FROM emails) AS stored,
    (SELECT count(*) FROM events) AS events,
    (SELECT count(*) FROM campaigns WHERE status = 'SENT') AS campaigns,
    (SELECT count(*) FROM jobs WHERE kind = 'domain.verified') AS verifying`);
  if (found === undefined) throw new Error('A SELECT of counts has one row');
  return found;
}
