import { type FailedRequest, type Problem, toError } from '../errors.ts';
import type { WireReply } from '../system/wire.ts';

/** The outcome of a request, once no more tries follow. */
export type Exchanged<Value> = { readonly outcome: 'accepted'; readonly value: Value } | Unaccepted;

export interface Unaccepted extends Pick<FailedRequest, 'unansweredBefore' | 'mayBeOfProxy'> {
  /**
   * - `refused`: the service, or a proxy before it, rejected it
   * - `unsent`: no complete request has reached the service
   * - `unknown`: it may have been carried out, although no response says so
   */
  readonly outcome: 'refused' | 'unsent' | 'unknown';
  /** Why, by the last try. */
  readonly problem: Problem;
  /** The response to the last try, if it had one. */
  readonly reply?: WireReply | undefined;
}

/** What a conflict with a request of our own is: the service is still at work on `which`. */
export function stillInProgress(conflict: Unaccepted, which: string): Unaccepted {
  const message = `The service is still processing ${which}.`;
  const problem = { ...conflict.problem, code: 'unavailable', message, hint: undefined } as const;
  return { ...conflict, outcome: 'unknown', problem };
}

/** What an accepted request was for. Throws the error of any other. */
export function acceptedValue<Value>(exchanged: Exchanged<Value>): Value {
  if (exchanged.outcome === 'accepted') return exchanged.value;
  throw toError(exchanged.problem);
}
