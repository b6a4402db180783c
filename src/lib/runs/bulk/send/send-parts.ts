import { MailerError, problemOf, toError, UnavailableError } from '../../../base/errors.ts';
import { stillInProgress, type Unaccepted } from '../../../service/http/outcome.ts';
import type { BegunPart, Part } from '../journal/run-parts.ts';
import { divide } from './divide.ts';
import { createFailures, isInOwnWords } from './failures.ts';
import { emailsOf, jsonOf } from './part-emails.ts';
import { PartQueue } from './part-queue.ts';
import { type Event, nextStep, type QueuedPart } from './part-story.ts';
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

/** Returns a function that takes a part through its story: does each step, and sees what happens. */
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
  /** The service has these emails of a part. */
  const have = (part: Part, ids: readonly string[]): Event => {
    options.begins();
    findBegun.accepted(ids);
    if (ids.length > 0) {
      refusals.accepted();
      failures.accepted(part);
    }
    return { kind: ids.length < part.size ? 'some' : 'all', ids };
  };
  const see = async <Seen>(
    seen: Promise<Seen | undefined>,
    event: (seen: Seen) => Event,
    explained: (error: MailerError) => MailerError,
  ): Promise<Event> => {
    try {
      const known = await seen;
      return known === undefined ? { kind: 'unseen' } : event(known);
    } catch (error) {
      if (signal.aborted || !(error instanceof MailerError)) throw error;
      return { kind: 'unseen', error: explained(error) };
    }
  };
  const turn = ({ part }: QueuedPart): Event => {
    if (!('begun' in part)) return { kind: 'turn' };
    if (part.ids !== undefined) return { kind: 'some', ids: part.ids };
    return { kind: 'turn', late: findBegun.isNeeded(part) ? part : undefined };
  };
  const request = async (queued: QueuedPart, mayBeSent: boolean): Promise<Event> => {
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
      return have(part, sent.value);
    }
    const reply: Unaccepted = mayBeSent
      ? { ...sent, outcome: 'unknown', unansweredBefore: true }
      : sent;
    const isUnknown = reply.outcome === 'unknown';
    const { problem } = reply;
    if (problem.code === 'conflict') {
      // Unless an earlier 409 has shown that somebody else uses its key.
      const isOurs = queued.stage !== 'ready' && !('isConflict' in part && part.isConflict);
      if (isUnknown || isOurs) {
        return { kind: 'unaccepted', reply: stillInProgress(reply, 'a request') };
      }
      journal.conflict(part.id);
      return { kind: 'unaccepted', reply: { ...reply, problem: { ...problem, hint: keyInUse } } };
    }
    if (problem.code === 'rate_limited' && acceptances > before) {
      return { kind: 'limited', mayBeSent: isUnknown };
    }
    if (!isInOwnWords(reply)) return { kind: 'unaccepted', reply };
    queue.write();
    return failures.event(queued, reply);
  };
  const look = (part: BegunPart): Promise<Event> => {
    queue.write();
    const found = findBegun.find(part, isRunning);
    return see(found, (it) => ('ids' in it ? have(part, it.ids) : it), cannotLook);
  };
  const readBack = (part: Part | BegunPart, ids: readonly string[]): Promise<Event> => {
    // In the journal before the first one is read, so that another process can continue.
    if (!('ids' in part) || part.ids === undefined) journal.short(part.id, ids);
    const taken = options.readBack(ids, isRunning);
    return see(taken, (emails) => ({ kind: 'shown', ids, taken: emails }), cannotRead);
  };
  return async (queued) => {
    const { part } = queued;
    let event = turn(queued);
    for (;;) {
      const step = nextStep(event, queued);
      switch (step.do) {
        case 'request':
          event = await request(queued, step.mayBeSent);
          continue;
        case 'look':
          event = await look(step.part);
          continue;
        case 'read back':
          event = await readBack(part, step.ids);
          continue;
        case 'accept':
          queue.accepted(queued, step.ids);
          report(step.ids.length, 0);
          break;
        case 'divide':
          divide(options, refusals, part, step.ids, step.taken);
          break;
        case 'take out':
          report(0, refusals.refuse(part, step.problem));
          break;
        case 'put off':
          queue.putOff(queued);
          return;
        case 'give up':
          journal.giveUp(part.id, options.redacted(step.why));
          options.warnOf(rowsOf(part), step.warning);
          // Unknown emails count as decided, too.
          report(part.size, 0);
          break;
        case 'leave':
          if (step.warning !== undefined) options.warnOf(rowsOf(part), step.warning);
          errors.doubt ??= step.error;
          break;
        case 'stop':
          errors.failure ??= toError(step.problem);
          queue.settled(queued, step.isUnsent && !signal.aborted);
          return;
      }
      queue.settled(queued);
      return;
    }
  };
}

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
