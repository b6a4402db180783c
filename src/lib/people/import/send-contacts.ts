import { toError } from '../../base/errors.ts';
import { quantity } from '../../base/text/quantity.ts';
import type { Exchanged, Unaccepted } from '../../service/http/outcome.ts';
import { isUnconfirmed } from '../contact/subscription.ts';
import { allInBook, arrive, changeFound } from './find-in-book.ts';
import { type ContactPart, contactsOf } from './parts.ts';
import { createRejections } from './rejections.ts';
import { requestBulk, requestChange } from './request.ts';
import type { Sending } from './sending.ts';

/** Statuses that mean that contacts are invalid, and not the account or the request. */
const aboutContacts: readonly (number | undefined)[] = [400, 413, 422];

/** Concurrent requests if nobody is mailed: the service works while the next request is prepared. */
const atOnce = 2;

/** Milliseconds for which a comparison with the book counts as current. */
const fresh = 60_000;

/** Requests in a row without a response, after which no more are sent. */
const mostUnanswered = 2;

/**
 * Sends all contacts that are ready, part by part. Contacts that the service queues become `queued`, because no
 * response confirms that they are stored. Rejected contacts are removed, and the rest of their request is sent
 * without them.
 *
 * A request that may mail somebody is in the ledger before it leaves, and without a response it is not repeated: it
 * stays `begun`, and the others are sent as long as the service responds. Throws the first error that affects the
 * whole import.
 */
export async function sendContacts(
  sending: Sending,
  sent: (contacts: number, rejected: number) => void,
): Promise<void> {
  const { context, parts, book, ledger } = sending;
  const { system } = context;
  const rejections = createRejections(sending);
  let unanswered = 0;
  const send = async (part: ContactPart): Promise<Exchanged<unknown>> => {
    if (part.alone) {
      const [{ row, contact } = { row: 0, contact: { email: '' } }] = contactsOf(part);
      const changed = await requestChange(context, book.id, contact, {});
      if (changed.outcome === 'accepted') arrive(sending, part, new Map([[row, changed.value]]));
      return changed;
    }
    const asked = ledger && mayBeAsked(part);
    let hasLeft = false;
    const onSend = () => {
      if (!hasLeft && asked !== undefined) ledger?.begin(asked);
      hasLeft = true;
    };
    // If posted twice, a contact that has not confirmed is asked twice.
    const repeat = ledger === undefined ? 'harmless' : 'unsent';
    const queued = await requestBulk(context, book.id, part.json, { onSend, repeat });
    if (queued.outcome === 'accepted') {
      parts.set(part.id, 'queued');
      if (asked !== undefined) ledger?.note(asked, 'queued');
    } else if (neverHappened(queued) && asked !== undefined) ledger?.forget(asked);
    return queued;
  };
  /** Handles a request that was not accepted; throws if nothing more may be sent. */
  const settle = async (part: ContactPart, unaccepted: Unaccepted): Promise<void> => {
    const { problem } = unaccepted;
    const isSafe = ledger === undefined || neverHappened(unaccepted);
    if (isSafe && isAboutContacts(unaccepted, part)) {
      sent(0, rejections.reject(part, problem));
      return;
    }
    // A change can be repeated.
    const isDoubtful = !part.alone && !neverHappened(unaccepted);
    parts.set(part.id, isDoubtful ? 'begun' : 'ready');
    const mayGoOn = isDoubtful && ledger !== undefined && !system.signal.aborted;
    if (!mayGoOn || ++unanswered >= mostUnanswered) throw toError(problem);
    context.notes.warn(
      problem.message,
      `${quantity(part.size, 'contact')} of this request may still arrive. They are not retried, because the service could ask them twice to confirm.`,
    );
    // If the service does not respond, send nothing more: all of it would have an unknown outcome.
    await allInBook(sending, part);
    sent(part.size, 0);
  };
  const sendNext = async (part: ContactPart): Promise<void> => {
    if (!part.alone && ledger !== undefined && isStale(sending)) {
      const settled = await takeOutPresent(sending, part);
      sent(settled, 0);
      if (settled > 0) {
        parts.set(part.id, 'ready');
        return;
      }
    }
    const exchanged = await send(part);
    if (exchanged.outcome !== 'unsent') sending.begins();
    if (exchanged.outcome !== 'accepted') {
      await settle(part, exchanged);
      return;
    }
    unanswered = 0;
    rejections.accepted();
    sent(part.size, 0);
  };
  let hasFailed = false;
  const sendAll = async (): Promise<void> => {
    while (!hasFailed) {
      const part = parts.next();
      if (part === undefined) return;
      try {
        system.signal.throwIfAborted();
        parts.set(part.id, 'taken');
        await sendNext(part);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  // Let all of them end before throwing, because the caller then closes the database.
  const senders = Array.from({ length: ledger === undefined ? atOnce : 1 }, sendAll);
  const ended = await Promise.allSettled(senders);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  rejections.end();
}

/** Whether the book may have new contacts since it was compared, which are pending. */
function isStale({ context, comparedAt }: Sending): boolean {
  return context.system.monotonic() - comparedAt > fresh;
}

/** Whom a request of new contacts may ask to confirm: a contact that is not to be subscribed is never asked. */
function mayBeAsked(part: ContactPart): string[] {
  return contactsOf(part)
    .filter(({ contact }) => contact.subscribed !== false)
    .map(({ contact }) => contact.email);
}

/** Whether it is certain that the service does not have the contacts. */
function neverHappened({ outcome, problem, unansweredBefore, mayBeOfProxy }: Unaccepted): boolean {
  if (outcome === 'unknown' || problem.code === 'conflict' || unansweredBefore) return false;
  return !mayBeOfProxy || byProxies.includes(problem.status);
}

/** Statuses with which a proxy rejects a request without passing it on. */
const byProxies: readonly (number | undefined)[] = [401, 403, 404, 413, 429];

function isAboutContacts(
  { outcome, problem, mayBeOfProxy }: Unaccepted,
  { alone }: ContactPart,
): boolean {
  if (outcome !== 'refused') return false;
  // The contact may have been deleted since.
  if (alone && problem.status === 404) return !mayBeOfProxy;
  if (!aboutContacts.includes(problem.status)) return false;
  return !mayBeOfProxy || problem.status === 413;
}

/**
 * Removes contacts from a part that the book has by now: those that already match, and pending ones, which
 * are changed one by one. Returns how many.
 */
async function takeOutPresent(sending: Sending, part: ContactPart): Promise<number> {
  const done = new Map<number, string>();
  try {
    for (const one of await allInBook(sending, part)) {
      if (one.isAsSent) done.set(one.row, one.found.id);
      else if (isUnconfirmed(one.found)) done.set(one.row, await changeFound(sending, one));
    }
  } finally {
    arrive(sending, part, done);
  }
  return done.size;
}
