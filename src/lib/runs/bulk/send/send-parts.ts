import { MailerError, problemOf, toError, UnavailableError } from '../../../base/errors.ts';
import { stillInProgress, type Unaccepted } from '../../../service/http/outcome.ts';
import type { BegunPart, Part } from '../journal/run-parts.ts';
import { divide } from './divide.ts';
import { createFailures, isInOwnWords } from './failures.ts';
import { emailsOf, jsonOf } from './part-emails.ts';
import { PartQueue } from './part-queue.ts';
import { afterUnaccepted, type Leave, type QueuedPart, type TurnEnd } from './part-story.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import type { SendingOptions } from './sending-options.ts';

/**
 * Sends all undecided parts: first those that were begun, under the same keys, then the others in input
 * order. Rejected emails are taken out, and the rest of their hundred is sent without them.
 *
 * Throws the first error that is about the run, once the requests in progress have ended; the journal then
 * has all that was decided. Errors about emails that may have been sent are thrown after all others are sent.
 */
export async function sendParts(options: SendingOptions): Promise<void> {
  const { concurrency, signal } = options;
  const queue = new PartQueue(options);
  const refusals = createRefusals(options);
  const errors: Errors = {};
  const send = partSender(options, queue, refusals, errors);
  const worker = async () => {
    try {
      while (errors.failure === undefined && !signal.aborted) {
        const queued = queue.next();
        if (queued === undefined) return;
        await send(queued);
      }
    } catch (error) {
      // The other workers end first: what they use is closed after that.
      errors.failure ??= error;
    }
  };
  try {
    do {
      await Promise.all(Array.from({ length: concurrency }, worker));
    } while (errors.failure === undefined && !signal.aborted && queue.isMore());
    signal.throwIfAborted();
    if (errors.failure !== undefined) throw errors.failure;
    refusals.end();
    if (errors.doubt !== undefined) throw errors.doubt;
  } catch (error) {
    queue.close();
    const at = refusals.reopen();
    if (at === undefined) throw error;
    const emails = emailsOf(at.part, options.journal).map(({ email }) => email);
    throw await options.explain(error, at.problem, emails);
  }
}

interface Errors {
  /** Ends the run. */
  failure?: unknown;
  /** About one part only: thrown once all others are sent. */
  doubt?: unknown;
}

/** Returns a function that takes a part through its turn, and records how that ends. */
function partSender(
  options: SendingOptions,
  queue: PartQueue,
  refusals: Refusals,
  errors: Errors,
): (queued: QueuedPart) => Promise<void> {
  const { journal, clocks, report, findBegun, signal } = options;
  const failures = createFailures(options);
  let acceptances = 0;
  const rowsOf = (part: Part) => emailsOf(part, journal).map(({ row }) => row);
  const isRunning = () => errors.failure === undefined;
  /** What is seen; the part is left if it cannot be: for a reason, or because the run stops. */
  const see = async <Seen>(
    seen: Promise<Seen | undefined>,
    explained: (error: MailerError) => MailerError,
  ): Promise<Seen | Leave> => {
    try {
      return (await seen) ?? { do: 'leave' };
    } catch (error) {
      if (signal.aborted || !(error instanceof MailerError)) throw error;
      return { do: 'leave', error: explained(error) };
    }
  };
  /** Reads which emails of a part the service created. */
  const readBack = async (part: Part | BegunPart, ids: readonly string[]): Promise<TurnEnd> => {
    // In the journal before the first one is read, so that another process can continue.
    if (!('ids' in part) || part.ids === undefined) journal.short(part.id, ids);
    const taken = await see(options.readBack(ids, isRunning), cannotRead);
    return 'do' in taken ? taken : { do: 'divide', ids, taken };
  };
  /** The service has these emails of a part. */
  const have = async (part: Part, ids: readonly string[]): Promise<TurnEnd> => {
    options.begins();
    findBegun.accepted(ids);
    if (ids.length > 0) {
      refusals.accepted();
      failures.accepted(part);
    }
    return ids.length < part.size ? await readBack(part, ids) : { do: 'accept', ids };
  };
  /** Searches the service's list for the emails of a part; undefined if it has none. */
  const look = async (part: BegunPart): Promise<TurnEnd | undefined> => {
    queue.write();
    const found = await see(findBegun.find(part, isRunning), cannotLook);
    if ('do' in found) return found;
    if ('ids' in found) return await have(part, found.ids);
    if (found.kind === 'none') return undefined;
    return { do: 'give up', why: mayBeOfOther, warning: 'unknown' };
  };
  /** `mayBeSent`: an earlier request of this turn may have arrived. */
  const request = async (queued: QueuedPart, mayBeSent: boolean): Promise<TurnEnd> => {
    const { part } = queued;
    const listening = clocks.listen();
    const before = acceptances;
    const onSend = () => {
      queue.onSend(queued);
      listening.onSend();
    };
    const idempotencyKey = options.keyOf(part);
    const about = { emails: part.size, alone: part.chunk.alone, idempotencyKey };
    const sent = await options.send(jsonOf(part, journal), { ...listening, ...about, onSend });
    if (sent.outcome !== 'unsent') options.begins();
    if (sent.outcome === 'accepted') {
      if (sent.value.length > 0) acceptances++;
      return await have(part, sent.value);
    }
    const reply: Unaccepted = mayBeSent
      ? { ...sent, outcome: 'unknown', unansweredBefore: true }
      : sent;
    const isUnknown = reply.outcome === 'unknown';
    const { problem } = reply;
    if (problem.code === 'conflict') {
      // Unless an earlier 409 has shown that somebody else uses its key.
      const isOurs = queued.stage !== 'ready' && !('isConflict' in part && part.isConflict);
      if (isUnknown || isOurs) return afterUnaccepted(stillInProgress(reply, 'a request'), queued);
      journal.conflict(part.id);
      return afterUnaccepted({ ...reply, problem: { ...problem, hint: keyInUse } }, queued);
    }
    // While other requests are accepted.
    if (problem.code === 'rate_limited' && acceptances > before) {
      return await request(queued, isUnknown);
    }
    if (!isInOwnWords(reply)) return afterUnaccepted(reply, queued);
    queue.write();
    return failures.after(queued, reply);
  };
  const turnOf = async (queued: QueuedPart): Promise<TurnEnd> => {
    const { part } = queued;
    if ('begun' in part) {
      if (part.ids !== undefined) return await readBack(part, part.ids);
      // The service may no longer lock its key.
      const found = findBegun.isNeeded(part) ? await look(part) : undefined;
      if (found !== undefined) return found;
    }
    return await request(queued, false);
  };
  return async (queued) => {
    const { part } = queued;
    const ending = await turnOf(queued);
    switch (ending.do) {
      case 'accept':
        queue.accepted(queued, ending.ids);
        report(ending.ids.length, 0);
        break;
      case 'divide':
        divide(options, refusals, part, ending.ids, ending.taken);
        break;
      case 'take out':
        report(0, refusals.refuse(part, ending.problem));
        break;
      case 'put off':
        queue.putOff(queued);
        return;
      case 'give up':
        journal.giveUp(part.id, options.redacted(ending.why));
        options.warnOf(rowsOf(part), ending.warning);
        // Unknown emails count as decided, too.
        report(part.size, 0);
        break;
      case 'leave':
        if (ending.warning !== undefined) options.warnOf(rowsOf(part), ending.warning);
        errors.doubt ??= ending.error;
        break;
      case 'stop':
        errors.failure ??= toError(ending.problem);
        queue.settled(queued, ending.isUnsent && !signal.aborted);
        return;
    }
    queue.settled(queued);
  };
}

const mayBeOfOther =
  'it may have been sent: the service has emails like these that may belong to another request';

/** The error of a look that failed: it proves nothing, so nothing is repeated. */
function cannotLook({ message, details }: MailerError): UnavailableError {
  return new UnavailableError(
    `Cannot check whether the service has the emails whose response was lost, so they were not sent again: ${message}`,
    details,
  );
}

function cannotRead(error: MailerError): MailerError {
  const message = `Cannot read which emails of a request the service created: ${error.message}`;
  return toError({ ...problemOf(error), message });
}

const keyInUse =
  'Another request is using the idempotency key of these emails, or used it for other emails. Wait a minute, then resume. If the error persists, check with mailer email list whether they were sent.';
