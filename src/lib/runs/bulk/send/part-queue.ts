import { UnavailableError } from '../../../base/errors.ts';
import type { Moment } from '../../../service/http/clocks.ts';
import { giveUpForgotten, isForgotten } from '../journal/forgotten.ts';
import type { AcceptedPart, BegunPart, Part } from '../journal/run-parts.ts';
import type { QueuedPart } from './part-story.ts';
import type { SendingOptions } from './sending-options.ts';

const forgotten =
  'A request was not retried after 24 hours, because the service may have forgotten its idempotency key.';

/** Requests that follow each other faster than this, in milliseconds, are recorded several at once. */
const quick = 20;
/** Milliseconds that a response waits to be recorded, with others or with the next request. */
const answersWait = 20;

/** Hands out the undecided parts of a run, and keeps the journal one step ahead. */
export class PartQueue {
  readonly #options: SendingOptions;
  /** Begun by an earlier process, not handed out yet. */
  readonly #recovery: BegunPart[];
  /** Read from the journal, not handed out yet. */
  readonly #next: Part[] = [];
  /** Handed out, not recorded as begun yet. */
  readonly #waiting = new Set<number>();
  /** Recorded as begun, not sent yet. */
  readonly #ahead = new Set<number>();
  /** When parts were begun that are not settled. */
  readonly #begun = new Map<number, Moment>();
  /** Put off until the others are sent, and due now. */
  readonly #later: QueuedPart[] = [];
  #due: QueuedPart[] = [];
  #together = 1;
  #lastBegin = Number.NEGATIVE_INFINITY;
  /** Accepted, not recorded yet. */
  #answers: AcceptedPart[] = [];
  #soon: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor(options: SendingOptions) {
    this.#options = options;
    this.#recovery = options.journal.unanswered();
  }

  /**
   * The next part: first those begun without a response or with a short one, last those put off. Undefined
   * when there are no others for now.
   */
  next(): QueuedPart | undefined {
    const { journal, concurrency } = this.#options;
    if (this.#isLate) this.write();
    const repeated = this.#nextBegun();
    if (repeated !== undefined) return { part: repeated, stage: 'begun' };
    if (this.#next.length === 0) {
      this.#next.push(...journal.ready(2 * concurrency, this.#waiting));
    }
    const part = this.#next.shift();
    if (part === undefined) return this.#due.shift();
    if (!this.#ahead.has(part.id)) this.#waiting.add(part.id);
    return { part, stage: 'ready' };
  }

  /**
   * Whether there are more, to be called once all that were handed out are settled or put off: splitting may
   * add parts, and then it is the turn of those put off.
   */
  isMore(): boolean {
    this.write();
    if (this.#options.journal.counts().ready > 0) return true;
    this.#due = this.#later.splice(0);
    return this.#due.length > 0;
  }

  /** Hands out a part once more, at the end. */
  putOff({ part }: QueuedPart): void {
    this.#later.push({ part, stage: 'put off' });
  }

  /**
   * Records that the first request of a part is about to be sent. For a later request, throws if the
   * service may have forgotten the key: the emails would be sent twice.
   */
  onSend({ part }: QueuedPart): void {
    const { id } = part;
    const since = 'begun' in part ? part.begun : this.#begun.get(id);
    if (since === undefined) this.#begin(id);
    else if (isForgotten(since, this.#options.clocks.latest())) {
      throw new UnavailableError(forgotten);
    }
    this.#ahead.delete(id);
  }

  /** To be called with the ids of its emails; the journal has them a moment later. */
  accepted({ part: { id } }: QueuedPart, ids: readonly string[]): void {
    this.#answers.push({ part: id, ids });
    this.#soon ??= setTimeout(() => this.#tryToWrite(), answersWait);
  }

  /** Records what was accepted, if it is not recorded yet. */
  write(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#answers.length > 0) this.#options.journal.accept(this.#answers);
    this.#answers = [];
    this.#isLate = false;
  }

  /** To be called once it is decided; `unsent` if the service certainly does not have it. */
  settled({ part: { id }, stage }: QueuedPart, unsent = false): void {
    const hasLeft = !this.#waiting.delete(id) && !this.#ahead.has(id);
    this.#begun.delete(id);
    // If an earlier process began the part, the outcome of that request is unknown here.
    if (stage === 'ready' && unsent && hasLeft) this.#giveBack([id]);
  }

  /** Gives back what was recorded as begun and not sent, and records what it can of the rest. */
  close(): void {
    this.#tryToWrite();
    this.#giveBack([...this.#ahead]);
    this.#ahead.clear();
  }

  /** The next part of an earlier process. Those that the service may have forgotten are given up. */
  #nextBegun(): BegunPart | undefined {
    const { journal, clocks } = this.#options;
    for (let part = this.#recovery.shift(); part !== undefined; part = this.#recovery.shift()) {
      // Time passes while the parts before are sent.
      const now = clocks.latest();
      if (part.ids !== undefined || !isForgotten(part.begun, now)) return part;
      giveUpForgotten(journal, now);
    }
    return undefined;
  }

  #tryToWrite(): void {
    try {
      this.write();
    } catch {
      // It is tried again before anything else is sent.
      this.#isLate = true;
    }
  }

  #giveBack(parts: readonly number[]): void {
    try {
      this.#options.journal.giveBack(parts);
    } catch {
      // The disk may be full. They stay begun, and are repeated under the same keys.
    }
  }

  #begin(id: number): void {
    const { journal, concurrency, clocks, monotonic } = this.#options;
    const at = monotonic();
    // Each `begin` waits for the disk. With a slow service there is no hurry, and parts that are recorded as
    // begun and never sent become unknown if the run is not resumed for a day.
    const wasQuick = at - this.#lastBegin < quick * this.#together;
    this.#together = wasQuick ? Math.min(2 * this.#together, 2 * concurrency) : 1;
    this.#lastBegin = at;
    const handedOut = [...this.#waiting, ...this.#next.map((part) => part.id)];
    const others = handedOut.filter((one) => one !== id && !this.#ahead.has(one));
    const parts = [id, ...others.slice(0, this.#together - 1)];
    const now = clocks.earliest();
    journal.begin(parts, now, this.#answers);
    this.#answers = [];
    for (const one of parts) {
      this.#waiting.delete(one);
      this.#ahead.add(one);
      this.#begun.set(one, now);
    }
  }
}
