import { UnavailableError } from '../../../base/errors.ts';
import type { Clocks, Moment } from '../../../service/http/clocks.ts';
import type { Journal } from '../journal/journal.ts';
import { giveUpForgotten, isForgotten } from '../journal/key-lifetime.ts';
import type { AcceptedPart, BegunPart, Part } from '../journal/run-parts.ts';
import type { QueuedPart } from './part-story.ts';
import type { SendingOptions } from './sending-options.ts';

const forgotten =
  'A request was not retried after 24 hours, because the service may have forgotten its idempotency key.';

export type PartQueue = ReturnType<typeof createPartQueue>;

/** Requests that follow each other faster than this, in milliseconds, are recorded several at once. */
const quick = 20;
/** Milliseconds that a response waits to be recorded, with others or with the next request. */
const answersWait = 20;

/** Hands out the undecided parts of a run, and keeps the journal one step ahead. */
export function createPartQueue({ journal, concurrency, clocks, monotonic }: SendingOptions) {
  /** Read from the journal, not handed out yet. */
  const next: Part[] = [];
  /** Handed out, not recorded as begun yet. */
  const waiting = new Set<number>();
  /** Recorded as begun, not sent yet. */
  const ahead = new Set<number>();
  /** When parts were begun that are not settled. */
  const begun = new Map<number, Moment>();
  /** Put off until the others are sent, and due now. */
  const later: QueuedPart[] = [];
  let due: QueuedPart[] = [];
  const recovery = unansweredParts(journal, clocks);
  let together = 1;
  let lastBegin = Number.NEGATIVE_INFINITY;
  /** Accepted, not recorded yet. */
  let answers: AcceptedPart[] = [];
  let soon: NodeJS.Timeout | undefined;
  let isLate = false;

  const write = () => {
    clearTimeout(soon);
    soon = undefined;
    if (answers.length > 0) journal.accept(answers);
    answers = [];
    isLate = false;
  };
  const tryToWrite = () => {
    try {
      write();
    } catch {
      // It is tried again before anything else is sent.
      isLate = true;
    }
  };
  const giveBack = (parts: readonly number[]) => {
    try {
      journal.giveBack(parts);
    } catch {
      // The disk may be full. They stay begun, and are repeated under the same keys.
    }
  };
  const begin = (id: number) => {
    const at = monotonic();
    // Each `begin` waits for the disk. With a slow service there is no hurry, and parts that are recorded as
    // begun and never sent become unknown if the run is not resumed for a day.
    const wasQuick = at - lastBegin < quick * together;
    together = wasQuick ? Math.min(2 * together, 2 * concurrency) : 1;
    lastBegin = at;
    const others = [...waiting, ...next.map((part) => part.id)].filter((one) => one !== id);
    const parts = [id, ...others.filter((one) => !ahead.has(one)).slice(0, together - 1)];
    const now = clocks.earliest();
    journal.begin(parts, now, answers);
    answers = [];
    for (const one of parts) {
      waiting.delete(one);
      ahead.add(one);
      begun.set(one, now);
    }
  };

  return {
    /**
     * The next part: first those begun without a response or with a short one, last those put off. Undefined
     * when there are no others for now.
     */
    next(): QueuedPart | undefined {
      if (isLate) write();
      const repeated = recovery.next();
      if (repeated.done !== true) return { part: repeated.value, stage: 'begun' };
      if (next.length === 0) next.push(...journal.ready(2 * concurrency, waiting));
      const part = next.shift();
      if (part === undefined) return due.shift();
      if (!ahead.has(part.id)) waiting.add(part.id);
      return { part, stage: 'ready' };
    },
    /**
     * Whether there are more, to be called once all that were handed out are settled or put off: splitting may
     * add parts, and then it is the turn of those put off.
     */
    isMore(): boolean {
      write();
      if (journal.counts().ready > 0) return true;
      due = later.splice(0);
      return due.length > 0;
    },
    /** Hands out a part once more, at the end. */
    putOff({ part }: QueuedPart): void {
      later.push({ part, stage: 'put off' });
    },
    /**
     * Records that the first request of a part is about to be sent. For a later request, throws if the
     * service may have forgotten the key: the emails would be sent twice.
     */
    onSend({ part }: QueuedPart): void {
      const { id } = part;
      const since = 'begun' in part ? part.begun : begun.get(id);
      if (since === undefined) begin(id);
      else if (isForgotten(since, clocks.latest())) throw new UnavailableError(forgotten);
      ahead.delete(id);
    },
    /** To be called with the ids of its emails; the journal has them a moment later. */
    accepted({ part: { id } }: QueuedPart, ids: readonly string[]): void {
      answers.push({ part: id, ids });
      soon ??= setTimeout(tryToWrite, answersWait);
    },
    /** Records what was accepted, if it is not recorded yet. */
    write,
    /** To be called once it is decided; `unsent` if the service certainly does not have it. */
    settled({ part: { id }, stage }: QueuedPart, unsent = false): void {
      const hasLeft = !waiting.delete(id) && !ahead.has(id);
      begun.delete(id);
      // If an earlier process began the part, the outcome of that request is unknown here.
      if (stage === 'ready' && unsent && hasLeft) giveBack([id]);
    },
    /** Gives back what was recorded as begun and not sent, and records what it can of the rest. */
    close(): void {
      tryToWrite();
      giveBack([...ahead]);
      ahead.clear();
    },
  };
}

/** Parts that an earlier process began, without those that the service may have forgotten. */
function* unansweredParts(journal: Journal, { latest }: Clocks): Generator<BegunPart, void> {
  const atOnce = 100;
  let after = 0;
  for (;;) {
    const parts = journal.unanswered(after, atOnce);
    for (const part of parts) {
      after = part.id;
      // Time passes while the parts before are sent.
      const now = latest();
      const isOver = part.ids === undefined && isForgotten(part.begun, now);
      if (isOver) giveUpForgotten(journal, now);
      else yield part;
    }
    if (parts.length < atOnce) return;
  }
}
