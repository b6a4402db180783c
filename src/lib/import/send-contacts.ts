import { mayAskToConfirm } from '../../api/contact.ts';
import type { Journal } from '../bulk/journal/journal.ts';
import type { BegunPart, Part, PartState } from '../bulk/journal/run-parts.ts';
import type { OpenRun } from '../bulk/journal/run-store.ts';
import { jsonOf, positionsOf } from '../bulk/send/part-emails.ts';
import { createRefusals } from '../bulk/send/refusals.ts';
import { isUnconfirmed } from '../contact/subscription.ts';
import { toError } from '../errors.ts';
import { acceptedValue, type Exchanged, type Unaccepted } from '../http/outcome.ts';
import { quantity } from '../text/quantity.ts';
import { noResponse } from './await-arrival.ts';
import { allInBook, type FoundContact } from './find-in-book.ts';
import { contactsOf, type ImportedContact } from './imported-contact.ts';
import { requestBulk, requestChange } from './request.ts';
import type { Sending } from './sending.ts';

/** Statuses that mean that contacts are invalid, and not the account or the request. */
const aboutContacts: readonly (number | undefined)[] = [400, 413, 422];

/** Concurrent requests if nobody is mailed: the service works while the next request is recorded. */
const atOnce = 2;

/** Requests in a row without a response, after which no more are sent. */
const mostUnanswered = 2;

/**
 * Sends all contacts that are ready, part by part, each recorded before it is sent. Contacts that the service
 * queues become `short`, because no response confirms that they are stored. Rejected contacts are removed,
 * and the rest of their request is sent without them.
 *
 * A request without a response is repeated only if that mails nobody. Otherwise it stays `begun`, and the
 * others are sent as long as the service responds. Throws the first error that affects the whole run.
 */
export async function sendContacts(
  sending: Sending,
  sent: (contacts: number, rejected: number) => void,
): Promise<void> {
  const { context, run, keepGoing, bodies } = sending;
  const { journal } = run;
  const { system, redacted } = context;
  const refusals = createRefusals({ journal, keepGoing, redacted }, 'contacts');
  let unanswered = 0;
  const send = async (part: Part): Promise<Exchanged<unknown>> => {
    let hasLeft = false;
    const mailsNobody = part.chunk.alone || !mayAskToConfirm(sending.book);
    const leaves = () => {
      const now = { here: system.now(), service: undefined };
      if (!hasLeft && mailsNobody) journal.beginRepeatable(part.id, now);
      else if (!hasLeft) journal.begin([part.id], now, []);
      hasLeft = true;
    };
    if (part.chunk.alone) {
      const [{ contact } = { contact: { email: '' } }] = contactsOf(part, bodies);
      const changed = await requestChange(context, sending.book.id, contact, { leaves });
      if (changed.outcome === 'accepted') journal.accept([{ part: part.id, ids: [changed.value] }]);
      return changed;
    }
    // If posted twice, a contact that has not confirmed is asked twice.
    const repeat = mailsNobody ? 'harmless' : 'unsent';
    const options = { leaves, repeat } as const;
    const queued = await requestBulk(context, sending.book.id, jsonOf(part, bodies), options);
    if (queued.outcome === 'accepted') journal.queued(part.id);
    return queued;
  };
  /** Handles a request that was not accepted; throws if nothing more may be sent. */
  const settle = async (part: Part, unaccepted: Unaccepted): Promise<void> => {
    const { problem } = unaccepted;
    // A change can be repeated.
    const isDoubtful = !part.chunk.alone && !neverHappened(unaccepted);
    if (!isDoubtful) journal.giveBack([part.id]);
    if (isAboutContacts(unaccepted, part)) {
      sent(0, refusals.refuse(part, problem));
      return;
    }
    const mayGoOn = isDoubtful && mayAskToConfirm(sending.book) && !system.signal.aborted;
    if (!mayGoOn || ++unanswered >= mostUnanswered) throw toError(problem);
    context.notes.warn(
      problem.message,
      `${quantity(part.size, 'contact')} of this request may still arrive. They are not retried, because the service could ask them twice to confirm.`,
    );
    // If the service does not respond, send nothing more: all of it would have an unknown outcome.
    await allInBook(sending, part);
    sent(part.size, 0);
  };
  const underWay = new Set<number>();
  let hasFailed = false;
  const sendNext = async (part: Part): Promise<void> => {
    if (!part.chunk.alone && mayAskToConfirm(sending.book) && sending.isStale()) {
      const settled = await takeOutPresent(sending, part);
      sent(settled, 0);
      if (settled > 0) return;
    }
    const exchanged = await send(part);
    if (exchanged.outcome !== 'unsent') sending.begins();
    if (exchanged.outcome !== 'accepted') {
      await settle(part, exchanged);
      return;
    }
    unanswered = 0;
    refusals.accepted();
    sent(part.size, 0);
  };
  const sendAll = async (): Promise<void> => {
    while (!hasFailed) {
      const [part] = journal.ready(1, underWay);
      if (part === undefined) return;
      underWay.add(part.id);
      try {
        system.signal.throwIfAborted();
        await sendNext(part);
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        underWay.delete(part.id);
      }
    }
  };
  try {
    // Let all of them end before throwing, because the caller then closes the journal.
    const senders = Array.from({ length: mayAskToConfirm(sending.book) ? 1 : atOnce }, sendAll);
    const ended = await Promise.allSettled(senders);
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    const { accepted, begun, unknown } = journal.counts();
    if (accepted + begun + unknown === 0) refusals.end();
  } catch (error) {
    refusals.reopen();
    throw error;
  }
}

/** Whether it is certain that the service does not have the contacts. */
function neverHappened({ outcome, problem, unansweredBefore, mayBeOfProxy }: Unaccepted): boolean {
  if (outcome === 'unknown' || problem.code === 'conflict' || unansweredBefore) return false;
  return !mayBeOfProxy || byProxies.includes(problem.status);
}

/** Statuses with which a proxy rejects a request without passing it on. */
const byProxies: readonly (number | undefined)[] = [401, 403, 404, 413, 429];

function isAboutContacts({ outcome, problem, mayBeOfProxy }: Unaccepted, { chunk }: Part): boolean {
  if (outcome !== 'refused') return false;
  // The contact may have been deleted since.
  if (chunk.alone && problem.status === 404) return !mayBeOfProxy;
  if (!aboutContacts.includes(problem.status)) return false;
  return !mayBeOfProxy || problem.status === 413;
}

/**
 * Removes contacts from a part that the book has by now: those that already match, and pending ones, which
 * are changed one by one. Returns the number of the latter.
 */
async function takeOutPresent(sending: Sending, part: Part): Promise<number> {
  const { journal } = sending.run;
  const done = new Map<number, string>();
  for (const one of await allInBook(sending, part)) {
    if (one.isAsSent) done.set(one.position, one.found.id);
    else if (isUnconfirmed(one.found)) done.set(one.position, await change(sending, one));
  }
  if (done.size > 0) {
    const rest = positionsOf(part).filter((position) => !done.has(position));
    journal.divide(part, {
      accepted: { positions: [...done.keys()], ids: [...done.values()] },
      unknown: { positions: [], problem: '' },
      untaken: { positions: rest, problem: undefined },
    });
  }
  return done.size;
}

async function change({ context, book, begins }: Sending, { contact, found }: FoundContact) {
  const { subscribed, ...fields } = contact;
  const changed: ImportedContact = {
    ...fields,
    id: found.id,
    // In a PATCH, true would subscribe without a confirmation.
    ...(subscribed === false ? { subscribed } : {}),
  };
  return acceptedValue(await requestChange(context, book.id, changed, { leaves: begins }));
}

/** Marks changes begun by an earlier process to be sent again: they need no waiting. */
export function repeatChanges({ journal }: Pick<OpenRun, 'journal'>): void {
  for (const { id, chunk } of oneByOne(journal, ['begun'])) if (chunk.alone) journal.giveBack([id]);
}

/**
 * Settles contacts whose outcome an earlier process left open, as far as the book shows it. If sending again
 * mails nobody, or with `resend`, contacts not in the book become ready again: those whose request had no
 * response, and those that were queued but did not arrive.
 */
export async function settleEarlier(sending: Sending, resend: boolean): Promise<void> {
  const { journal } = sending.run;
  const again = resend || !mayAskToConfirm(sending.book);
  for (const part of oneByOne(journal, again ? openStates : ['unknown'])) {
    const there = (await allInBook(sending, part)).filter(({ isAsSent }) => isAsSent);
    if (there.length === 0 && !again) continue;
    const done = new Map(there.map(({ position, found }) => [position, found.id]));
    const rest = positionsOf(part).filter((position) => !done.has(position));
    journal.divide(part, {
      accepted: { positions: [...done.keys()], ids: [...done.values()] },
      unknown: { positions: again ? [] : rest, problem: noResponse },
      untaken: { positions: again ? rest : [], problem: undefined },
    });
  }
}

/** Parts in these states, not at once: the rows of all take much memory. */
function* oneByOne(journal: Journal, states: readonly PartState[]): Generator<BegunPart> {
  for (const id of journal.unansweredIds(states)) yield* journal.unanswered(id - 1, 1, states);
}

const openStates = ['begun', 'short', 'unknown'] as const;
