import { UnavailableError } from '../../errors.ts';
import type { Clocks, Moment } from '../journal/clocks.ts';
import type { Journal } from '../journal/journal.ts';
import { giveUpForgotten, isForgotten } from '../journal/key-lifetime.ts';
import type { AcceptedPart, BegunPart, Part } from '../journal/parts.ts';
import type { SendingOptions } from './sending-options.ts';

/** A part that is to be sent now. */
export interface Handed {
  readonly part: Part | BegunPart;
  /** Whether it was never begun, neither by an earlier process nor for an earlier try of this one. */
  readonly fresh: boolean;
}

export type PartQueue = ReturnType<typeof createPartQueue>;

/** Milliseconds between two requests below which several are written down together. */
const quick = 20;
/** Milliseconds that an answer waits for others, or for a request that leaves. */
const answersWait = 20;

/** Hands out the parts of a run that are not decided on, and keeps the journal one step ahead. */
export function createPartQueue({ journal, concurrency, clocks, monotonic }: SendingOptions) {
  /** Read from the journal, and not handed out. */
  const next: Part[] = [];
  /** Handed out, and not written down. */
  const waiting = new Set<number>();
  /** Written down, and not left. */
  const ahead = new Set<number>();
  /** When those were begun that are not settled. */
  const begun = new Map<number, Moment>();
  const recovery = unansweredParts(journal, clocks);
  let together = 1;
  let lastBegin = Number.NEGATIVE_INFINITY;
  /** Accepted, and not written down. */
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
      // Before anything else is sent it is tried again.
      isLate = true;
    }
  };
  const giveBack = (parts: readonly number[]) => {
    try {
      journal.giveBack(parts);
    } catch {
      // On a full disk, say. They stay begun, and are repeated under the same keys.
    }
  };
  const begin = (id: number) => {
    const at = monotonic();
    // Each time waits for the disk. A slow service is no hurry, and what is written down and never
    // leaves would be unknown if nobody went on with it for a day.
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
    /** The next part, first those begun without an answer or with a short one; undefined at the end. */
    next(): Handed | undefined {
      if (isLate) write();
      const repeated = recovery.next();
      if (repeated.done !== true) return { part: repeated.value, fresh: false };
      if (next.length === 0) next.push(...journal.ready(2 * concurrency, waiting));
      const part = next.shift();
      if (part === undefined) return undefined;
      if (!ahead.has(part.id)) waiting.add(part.id);
      return { part, fresh: true };
    },
    /**
     * Records that the first request of a part leaves now. For a later request, throws if the service
     * may have forgotten the key: it would send the email twice.
     */
    leaves({ part }: Handed): void {
      const { id } = part;
      const since = 'begun' in part ? part.begun : begun.get(id);
      if (since === undefined) begin(id);
      else if (isForgotten(since, clocks.latest())) throw tooOld();
      ahead.delete(id);
    },
    /** To be called with the ids of its emails; they are in the journal a moment later. */
    accepted({ part: { id } }: Handed, ids: readonly string[]): void {
      answers.push({ part: id, ids });
      soon ??= setTimeout(tryToWrite, answersWait);
    },
    /** Writes down what has been accepted, if it is not yet. */
    write,
    /** To be called once it is decided on; `unsent` when the service certainly does not have it. */
    settled({ part: { id }, fresh }: Handed, unsent = false): void {
      const hasLeft = !waiting.delete(id) && !ahead.has(id);
      begun.delete(id);
      // Of a part that an earlier process began, the outcome of that request is unknown here.
      if (fresh && unsent && hasLeft) giveBack([id]);
    },
    /** Gives back what was written down and has not left, and writes what it can of the rest. */
    close(): void {
      tryToWrite();
      giveBack([...ahead]);
      ahead.clear();
    },
  };
}

function tooOld(): UnavailableError {
  return new UnavailableError(
    'A request was not retried after 24 hours, because the service may have forgotten its idempotency key.',
  );
}

/** Those that an earlier process began, without the ones that the service may have forgotten. */
function* unansweredParts(journal: Journal, { latest }: Clocks): Generator<BegunPart, void> {
  const atOnce = 100;
  let after = 0;
  for (;;) {
    const parts = journal.unanswered(after, atOnce);
    for (const part of parts) {
      after = part.id;
      // Time passes while a queue is worked off.
      const now = latest();
      const isOver = part.ids === undefined && isForgotten(part.begun, now);
      if (isOver) giveUpForgotten(journal, now);
      else yield part;
    }
    if (parts.length < atOnce) return;
  }
}
