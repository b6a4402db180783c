import { type MailerError, type Problem, toError } from '../../../base/errors.ts';
import { inRows, namedProblems } from '../../../people/rows/rejected-rows.ts';
import type { Unaccepted } from '../../../service/http/outcome.ts';
import type { BegunPart, Part } from '../journal/run-parts.ts';
import type { TakenEmail } from './match-in-order.ts';
import { partRows, positionsOf } from './part-emails.ts';

/** A part whose turn it is. */
export interface QueuedPart {
  readonly part: Part | BegunPart;
  /**
   * `ready`: never sent. `begun`: sent by an earlier process, which had no response or a short one. `put off`:
   * this process had a 500, and tries it for the last time once all others are sent.
   */
  readonly stage: 'ready' | 'begun' | 'put off';
}

/** How the turn of a part ends, and the state that it has in the journal then. */
export type TurnEnd =
  | { readonly do: 'accept'; readonly ids: readonly string[] }
  /** Created emails are `accepted`, those left out `ready` under another key, or `refused`. */
  | {
      readonly do: 'divide';
      readonly ids: readonly string[];
      readonly taken: readonly TakenEmail[];
    }
  /** Emails at fault are `refused`, the others `ready` in smaller parts. */
  | { readonly do: 'take out'; readonly problem: Problem }
  /** `begun`, with another turn at the end. */
  | { readonly do: 'put off' }
  /** `unknown`: never repeated. */
  | { readonly do: 'give up'; readonly why: string; readonly warning: 'unknown' | 'given up' }
  | Leave
  /** `begun`, or `ready` if `isUnsent`; the problem ends the run. */
  | { readonly do: 'stop'; readonly problem: Problem; readonly isUnsent: boolean };

/** `begun`, for a later process; an error ends this one once all others are sent. */
export interface Leave {
  readonly do: 'leave';
  readonly error?: MailerError;
  readonly warning?: 'in doubt';
}

/** Statuses by which a service says that emails are at fault, not the account or the request. */
const aboutEmails: readonly (number | undefined)[] = [400, 413, 422];

/**
 * What follows from a response other than the ids of emails, or from none.
 *
 * Emails get another key only if the service certainly does not have them: it may reject a repetition for another
 * reason (a quota) although it accepted the first request. Those that it names as invalid it never accepted.
 */
export function afterUnaccepted(reply: Unaccepted, { stage, part }: QueuedPart): TurnEnd {
  const { outcome, problem, unansweredBefore, mayBeOfProxy } = reply;
  const { code, status } = problem;
  const isRejected = code === 'rejected' && aboutEmails.includes(status);
  const isFirst = stage === 'ready' && !unansweredBefore && outcome === 'refused';
  // What is too large for a proxy never arrived.
  const isAtFault = mayBeOfProxy
    ? status === 413 && isFirst
    : isFirst || namedProblems(problem, positionsOf(part)).size > 0;
  if (isRejected && isAtFault) return { do: 'take out', problem };
  const said = inRows(problem, partRows(part));
  if (isRejected && !mayBeOfProxy) {
    return { do: 'leave', error: toError({ ...said, hint: unchanged }) };
  }
  // An invalid response to a request that was sent before must not keep the other emails waiting until
  // the service has forgotten the request.
  if (stage === 'put off' || (code === 'bad_reply' && stage === 'begun')) {
    return { do: 'leave', error: toError(said) };
  }
  return stop({ ...reply, problem: said });
}

/** A conflict does not show that the service has nothing: perhaps another machine uses the same key. */
export function stop({ outcome, problem, unansweredBefore, mayBeOfProxy }: Unaccepted): TurnEnd {
  const mayHappen = outcome === 'unknown' || problem.code === 'conflict';
  return { do: 'stop', problem, isUnsent: !mayHappen && !unansweredBefore && !mayBeOfProxy };
}

const unchanged =
  'An earlier response was lost, so the emails of this request may have been sent. It is retried unchanged, and not split. Once it is 24 hours old, --resend-unknown resends them.';
