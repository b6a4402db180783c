import type { Moment } from '../../../service/http/clocks.ts';
import { keyLifetime, margin } from '../../../service/http/key-lifetime.ts';
import type { Journal } from './journal.ts';

/** Whether a request is too old by a clock, or the clock has been set back since. */
function isOver(begun: number, now: number): boolean {
  return begun <= now - keyLifetime || begun > now + margin;
}

/**
 * Whether the service may have forgotten a request: true unless both clocks show that it has not. If the
 * service had not shown its clock when the request was sent, only this machine's counts.
 */
export function isForgotten(begun: Moment, now: Moment): boolean {
  return isOver(begun.here, now.here) || isForgottenThere(begun, now);
}

function isForgottenThere(begun: Moment, now: Moment): boolean {
  if (begun.service === undefined) return false;
  return now.service === undefined || isOver(begun.service, now.service);
}

/** Emails of requests without a response that are no longer repeated. */
export interface GivenUp {
  readonly emails: number;
  /** Of these, emails whose request is too old by only one of the two clocks. */
  readonly disputed: number;
}

/** Marks requests without a response as unknown if the service may have forgotten them. */
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
