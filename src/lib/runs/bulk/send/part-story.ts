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

/** What happens to a part. */
export type Event =
  /** Its turn comes. `late`: it is the part, and the service may no longer lock its key. */
  | { readonly kind: 'turn'; readonly late?: BegunPart | undefined }
  /** The service has some of its emails or all, according to its response, or to a look. */
  | { readonly kind: 'some' | 'all'; readonly ids: readonly string[] }
  /** By a look, the service has none, or emails that may be of another request. */
  | { readonly kind: 'none' | 'unclear' }
  /** Its created emails are read back. */
  | { readonly kind: 'shown'; readonly ids: readonly string[]; readonly taken: Taken }
  /** They cannot be looked for or read back: for this reason, or because the run stops. */
  | { readonly kind: 'unseen'; readonly error?: MailerError }
  /** 429 while other requests are accepted. */
  | { readonly kind: 'limited'; readonly mayBeSent: boolean }
  /** 500 in the service's own words; as for all others lately; in vain, as every further try would be. */
  | { readonly kind: 'fails' | 'fails like all' | 'fails in vain'; readonly reply: Unaccepted }
  /** Any other response, or none. */
  | { readonly kind: 'unaccepted'; readonly reply: Unaccepted };

type Taken = readonly TakenEmail[];

/** What to do with a part, and the state that it has in the journal then. */
export type Step =
  /** `begun`. `mayBeSent`: an earlier try may have arrived. */
  | { readonly do: 'request'; readonly mayBeSent: boolean }
  /** Search the service's list for its emails: `begun`. */
  | { readonly do: 'look'; readonly part: BegunPart }
  /** Read its created emails, to find out which they are: `short`. */
  | { readonly do: 'read back'; readonly ids: readonly string[] }
  | { readonly do: 'accept'; readonly ids: readonly string[] }
  /** Created emails are `accepted`, those left out `ready` under another key, or `refused`. */
  | { readonly do: 'divide'; readonly ids: readonly string[]; readonly taken: Taken }
  /** Emails at fault are `refused`, the others `ready` in smaller parts. */
  | { readonly do: 'take out'; readonly problem: Problem }
  /** `begun`, with another turn at the end. */
  | { readonly do: 'put off' }
  /** `unknown`: never repeated. */
  | { readonly do: 'give up'; readonly why: string; readonly warning: 'unknown' | 'given up' }
  /** `begun`, for a later process; the error ends this one once all others are sent. */
  | { readonly do: 'leave'; readonly error: MailerError | undefined; readonly warning?: 'in doubt' }
  /** `begun`, or `ready` if `isUnsent`; the problem ends the run. */
  | { readonly do: 'stop'; readonly problem: Problem; readonly isUnsent: boolean };

/**
 * What follows from an event.
 *
 * Emails get another key only if the service certainly does not have them: it may reject a repetition for another
 * reason (a quota) although it accepted the first request. Those that it names as invalid it never accepted.
 *
 * A service may respond with 500 to one request forever, because of its content, so all others come first. Live
 * servers leave out emails that they cannot create, and respond with 500 if that is all of a request: what is in
 * vain must not keep the run from ending. It may follow a creation, so nothing is divided because of it.
 */
export function nextStep(event: Event, queued: QueuedPart): Step {
  const { stage, part } = queued;
  switch (event.kind) {
    case 'turn':
      if (event.late !== undefined) return { do: 'look', part: event.late };
      return { do: 'request', mayBeSent: false };
    case 'none':
    case 'limited':
      return { do: 'request', mayBeSent: event.kind === 'limited' && event.mayBeSent };
    case 'all':
      return { do: 'accept', ids: event.ids };
    case 'some':
      return { do: 'read back', ids: event.ids };
    case 'shown':
      return { do: 'divide', ids: event.ids, taken: event.taken };
    case 'unclear':
      return { do: 'give up', why: mayBeOfOther, warning: 'unknown' };
    case 'unseen':
      return { do: 'leave', error: event.error };
    case 'fails':
      if (stage !== 'put off') return { do: 'put off' };
      return { do: 'leave', error: toError(event.reply.problem), warning: 'in doubt' };
    case 'fails like all':
      return stop(event.reply);
    case 'fails in vain':
      return { do: 'give up', why: whyInVain(part, event.reply.problem), warning: 'given up' };
    case 'unaccepted':
      return afterUnaccepted(event.reply, queued);
  }
}

/** Statuses by which a service says that emails are at fault, not the account or the request. */
const aboutEmails: readonly (number | undefined)[] = [400, 413, 422];

function afterUnaccepted(reply: Unaccepted, { stage, part }: QueuedPart): Step {
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
function stop({ outcome, problem, unansweredBefore, mayBeOfProxy }: Unaccepted): Step {
  const mayHappen = outcome === 'unknown' || problem.code === 'conflict';
  return { do: 'stop', problem, isUnsent: !mayHappen && !unansweredBefore && !mayBeOfProxy };
}

const unchanged =
  'An earlier response was lost, so the emails of this request may have been sent. It is retried unchanged, and not split. Once it is 24 hours old, --resend-unknown resends them.';

const mayBeOfOther =
  'it may have been sent: the service has emails like these that may belong to another request';

function whyInVain({ misses }: Part, { message }: Problem): string {
  const leftOut =
    'The service accepted a request without creating this email, and failed when it was sent again. ';
  return `it may have been sent, but probably was not. ${misses > 0 ? leftOut : ''}${message}`;
}
