import { limits } from '../../api/limits.ts';
import type { Moment } from './clocks.ts';
import type { Journal } from './journal.ts';

/**
 * How long before the service forgets a key a repetition is over, and how wrong a clock may be, in
 * milliseconds. A response takes a part of that to come.
 */
const margin = 10 * 60_000;

/** Milliseconds from the first request under a key until a repetition would be another email. */
const lifetime = limits.idempotencyRecordHours * 3_600_000 - margin;

/** Whether a clock says that a request is too old, or shows that it has been set back since. */
function isOver(begun: number, now: number): boolean {
  return begun <= now - lifetime || begun > now + margin;
}

/**
 * Whether the service may have forgotten a request: unless both clocks say that it has not. Where
 * the service had shown none when the request left, ours has to do.
 */
export function isForgotten(begun: Moment, now: Moment): boolean {
  return isOver(begun.here, now.here) || isForgottenThere(begun, now);
}

function isForgottenThere(begun: Moment, now: Moment): boolean {
  if (begun.service === undefined) return false;
  return now.service === undefined || isOver(begun.service, now.service);
}

/** Emails of requests that had no answer, and are not repeated any more. */
export interface GivenUp {
  readonly emails: number;
  /** Of these, those of which only one of the two clocks says that their request is too old. */
  readonly disputed: number;
}

/** Requests without an answer that the service may have forgotten become unknown. */
export function giveUpForgotten(journal: Journal, now: Moment): GivenUp {
  let emails = 0;
  let disputed = 0;
  journal.expire((begun, size) => {
    if (!isForgotten(begun, now)) return false;
    emails += size;
    const agree = isOver(begun.here, now.here) && isForgottenThere(begun, now);
    if (begun.service !== undefined && !agree) disputed += size;
    return true;
  });
  return { emails, disputed };
}
