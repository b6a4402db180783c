import { type FailedRequest, type Problem, toError } from '../../base/errors.ts';
import type { WireReply } from '../../base/system/wire.ts';

/** The final outcome of a request, after all tries. */
export type Exchanged<Value> = { readonly outcome: 'accepted'; readonly value: Value } | Unaccepted;

export interface Unaccepted
  extends Pick<FailedRequest, 'unansweredBefore' | 'mayBeOfProxy' | 'isUnclear'> {
  /**
   * - `refused`: the service, or a proxy in front of it, rejected it
   * - `unsent`: no complete request reached the service
   * - `unknown`: it may have been carried out, but no response confirms it
   */
  readonly outcome: 'refused' | 'unsent' | 'unknown';
  /** The reason, from the last try. */
  readonly problem: Problem;
  /** The response to the last try, if there was one. */
  readonly reply?: WireReply | undefined;
  /** Whether it was not retried only because the service may no longer lock its idempotency key. */
  readonly isPastLock?: boolean;
}

/** The problem for a conflict with our own request: the service is still processing `which`. */
export function stillInProgress(conflict: Unaccepted, which: string): Unaccepted {
  const message = `The service is still processing ${which}.`;
  const problem = { ...conflict.problem, code: 'unavailable', message, hint: undefined } as const;
  return { ...conflict, outcome: 'unknown', problem };
}

/** The value of an accepted request. Throws the error of any other. */
export function acceptedValue<Value>(exchanged: Exchanged<Value>): Value {
  if (exchanged.outcome === 'accepted') return exchanged.value;
  throw toError(exchanged.problem);
}
