import { MailerError, toError, UnavailableError } from '../../errors.ts';
import { type Exchanged, stillInProgress, type Unaccepted } from '../../http/outcome.ts';
import type { BegunPart, Part } from '../journal/run-parts.ts';
import { createLastTries, type LastTries, namingTemplate } from './last-tries.ts';
import { inRows } from './named-rows.ts';
import { emailsOf, jsonOf } from './part-emails.ts';
import { createPartQueue, type Handed, type PartQueue } from './part-queue.ts';
import { createRefusals, inDoubt, isAboutEmails, type Refusals } from './refusals.ts';
import type { BatchRequest, SendingOptions } from './sending-options.ts';
import { createShortReplies } from './short-replies.ts';

/**
 * Sends all undecided parts: first those that were begun, under the same keys, then the others in input
 * order. Rejected emails are taken out, and the rest of their hundred is sent without them.
 *
 * Throws the first error that is about the run, once the requests in progress have ended; the journal then
 * has all that was decided. Errors about emails that may have been sent are thrown after all others are sent.
 */
export async function sendParts(options: SendingOptions): Promise<void> {
  const { journal, concurrency, signal } = options;
  const queue = createPartQueue(options);
  const refusals = createRefusals(options);
  let failure: unknown;
  let doubt: unknown;
  const goesOn = () => failure === undefined;
  const later = (error: MailerError) => {
    doubt ??= error;
  };
  const settleShort = createShortReplies(options, { refusals, goesOn, later });
  const lastTries = createLastTries(options);
  const tools = { queue, refusals, lastTries, settleShort, goesOn, later };
  const sendPart = partSender(options, tools);
  const send = async (handed: Handed) => {
    const failed = await sendPart(handed);
    if (failed === undefined) return queue.settled(handed);
    const doubtful = inDoubt(failed, handed);
    const next = doubtful === undefined ? lastTries.takes(handed, failed) : 'in doubt';
    if (next === 'later') return;
    const error = toError(doubtful ?? failed.problem);
    if (next === 'in doubt') doubt ??= error;
    if (next === undefined) failure ??= error;
    queue.settled(handed, !signal.aborted && neverHappened(failed));
  };
  const worker = async () => {
    try {
      while (failure === undefined && !signal.aborted) {
        const handed = queue.next() ?? lastTries.next();
        if (handed === undefined) return;
        await send(handed);
      }
    } catch (error) {
      // The other workers end first: what they use is closed after that.
      failure ??= error;
    }
  };
  try {
    let isMore = true;
    while (isMore) {
      await Promise.all(Array.from({ length: concurrency }, worker));
      if (failure !== undefined || signal.aborted) break;
      queue.write();
      // Splitting may add parts after the other workers have ended.
      isMore = journal.counts().ready > 0 || lastTries.begin();
    }
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    refusals.end();
    if (doubt !== undefined) throw doubt;
  } catch (error) {
    queue.close();
    refusals.reopen();
    const at = refusals.stoppedAt();
    if (at === undefined) throw error;
    const emails = emailsOf(at.part, options.bodies).map(({ email }) => email);
    throw await options.explain(error, at.problem, emails);
  }
}

/**
 * Whether the service certainly does not have the emails. A conflict does not show that: somebody else is
 * sending them under the same key, perhaps on another machine.
 */
function neverHappened({ outcome, problem, unansweredBefore, mayBeOfProxy }: Unaccepted): boolean {
  return outcome !== 'unknown' && problem.code !== 'conflict' && !unansweredBefore && !mayBeOfProxy;
}

interface PartSenderTools {
  readonly queue: PartQueue;
  readonly refusals: Refusals;
  readonly lastTries: LastTries;
  readonly settleShort: ReturnType<typeof createShortReplies>;
  /** Whether to continue with other parts. */
  readonly goesOn: () => boolean;
  /** Receives an error about one part only, to be thrown at the end. */
  readonly later: (error: MailerError) => void;
}

/** Returns a function that sends a part, and returns the response if its emails stay undecided. */
function partSender(
  options: SendingOptions,
  { queue, refusals, lastTries, settleShort, goesOn, later }: PartSenderTools,
): (handed: Handed) => Promise<Unaccepted | undefined> {
  const { journal, bodies, send, keyOf, begins, clocks, report, findBegun, warnOf, signal } =
    options;
  let acceptances = 0;
  /** While other requests are accepted, a 429 only means to wait. */
  const sendPatiently = async (handed: Handed): Promise<Exchanged<readonly string[]>> => {
    const { part } = handed;
    const json = jsonOf(part, bodies);
    const { leaves, heard } = clocks.listen();
    const request: BatchRequest = {
      emails: part.size,
      alone: part.chunk.alone,
      idempotencyKey: keyOf(part),
      leaves: () => {
        queue.leaves(handed);
        leaves();
      },
      heard,
    };
    let unknown = false;
    for (;;) {
      const before = acceptances;
      let sent = await send(json, request);
      if (sent.outcome !== 'unsent') begins();
      if (sent.outcome === 'accepted') return sent;
      if (unknown) sent = { ...sent, outcome: 'unknown', unansweredBefore: true };
      unknown = sent.outcome === 'unknown';
      const { problem } = sent;
      if (problem.code === 'conflict') {
        if (unknown || isOurs(handed)) return stillInProgress(sent, 'a request');
        journal.conflict(part.id);
        return { ...sent, problem: { ...problem, hint: keyInUse } };
      }
      if (problem.code !== 'rate_limited' || acceptances === before) return sent;
    }
  };
  const acceptAll = (handed: Handed, ids: readonly string[]) => {
    queue.accepted(handed, ids);
    report(ids.length, 0);
  };
  const settleUnclear = (part: Part) => {
    const rows = emailsOf(part, bodies).map(({ row }) => row);
    journal.giveUp(part.id, mayBeOfOther);
    warnOf(rows, 'unknown');
    report(part.size, 0);
  };
  /** Settles a part that the service already has; returns whether it is settled, or left for a later process. */
  const settleBegun = async (handed: Handed, part: BegunPart): Promise<boolean> => {
    queue.write();
    const found = await findBegun.find(part, goesOn).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof MailerError)) throw error;
      later(cannotLook(error));
    });
    if (found?.kind === 'none') return false;
    if (found?.kind === 'unclear') settleUnclear(part);
    if (found?.kind === 'some') await settleShort(part, found.ids);
    if (found?.kind === 'all') {
      begins();
      refusals.accepted();
      lastTries.accepted(part);
      acceptAll(handed, found.ids);
    }
    return true;
  };
  return async (handed) => {
    const { part } = handed;
    if ('ids' in part && part.ids !== undefined) {
      await settleShort(part, part.ids);
      return undefined;
    }
    const mustLook = 'begun' in part && findBegun.isNeeded(part);
    if (mustLook && (await settleBegun(handed, part))) return undefined;
    const sent = await sendPatiently(handed);
    if (sent.outcome !== 'accepted') {
      if (isAboutEmails(sent, handed)) {
        report(0, refusals.refuse(part, sent.problem));
        return undefined;
      }
      return namingTemplate({ ...sent, problem: inRows(sent.problem, part) }, part, bodies);
    }
    const ids = sent.value;
    findBegun.accepted(ids);
    if (ids.length > 0) {
      acceptances++;
      refusals.accepted();
      lastTries.accepted(part);
    }
    if (ids.length < part.size) {
      await settleShort(part, ids);
    } else {
      acceptAll(handed, ids);
    }
    return undefined;
  };
}

/** The error of a look that failed: it proves nothing, so nothing is repeated. */
function cannotLook({ message, details }: MailerError): UnavailableError {
  return new UnavailableError(
    `Cannot check whether the service has the emails whose response was lost, so they were not sent again: ${message}`,
    details,
  );
}

const mayBeOfOther =
  'it may have been sent: the service has emails like these that may belong to another request';

const keyInUse =
  'Another request is using the idempotency key of these emails, or used it for other emails. Wait a minute, then resume. If the error persists, check with mailer email list whether they were sent.';

/**
 * Whether the request in progress under a part's key is this run's, and not somebody else's, which an earlier
 * 409 would have shown.
 */
function isOurs({ part, fresh }: Handed): boolean {
  return !fresh && !('isConflict' in part && part.isConflict);
}
