import type { PolicyRefusal } from '../../errors.ts';
import type { Moment } from './clocks.ts';

/** An email of a chunk: its row in the input, and whom it goes to; of a contact, what it is to the book. */
export type RowAddress = readonly [row: number, address: string, kind?: string];

/** Up to a hundred emails as they were prepared. */
export interface Chunk {
  /** From 1. */
  readonly number: number;
  readonly rows: readonly RowAddress[];
  /** Whether it is one email that goes out by itself, and not in a batch. */
  readonly alone: boolean;
  /** Where its request body stands in the file of bodies, in bytes. */
  readonly position: number;
  readonly length: number;
}

export type PartState = 'ready' | 'begun' | 'short' | 'accepted' | 'refused' | 'split' | 'unknown';

/** What goes out in one request. */
export interface Part {
  readonly id: number;
  readonly chunk: Chunk;
  /** Positions in the chunk, from 0; undefined for all of it. */
  readonly positions: readonly number[] | undefined;
  /** Number of its emails. */
  readonly size: number;
  /** Raised when it is sent anew under another idempotency key. */
  readonly attempt: number;
  /** Whether the service accepted others after or beside these emails: a rejection is about these. */
  readonly settled: boolean;
  /** How often the service has accepted its request without taking these emails. */
  readonly misses: number;
}

/** A part without an answer, or with one that is short. */
export interface BegunPart extends Part {
  /** When its first request left, or earlier. */
  readonly begun: Moment;
  /** Whether `conflict` was called for it. */
  readonly isConflict: boolean;
  /** Ids of the created emails, fewer than were sent; undefined without an answer. */
  readonly ids: readonly string[] | undefined;
}

/** A part that has been decided on, or not yet, with what is known of it. */
export interface PartOutcome {
  readonly positions: readonly number[] | undefined;
  /** Number of its emails. */
  readonly size: number;
  readonly state: PartState;
  readonly ids: readonly string[] | undefined;
  readonly problem: string | undefined;
}

/** A row that nothing is sent for. */
export interface LeftOut {
  readonly row: number;
  readonly address: string;
  /** The last two are contacts that are in their book as the row says, or but for the subscription. */
  readonly reason: 'invalid' | 'policy' | 'duplicate' | 'unchanged' | 'unsubscribed';
  /** Of a contact that needs nothing, its id. */
  readonly problem: string;
  /** The rule of a policy that does not allow it. */
  readonly refusal?: Pick<PolicyRefusal, 'rule' | 'place'>;
}

/** The ids of a part's emails, which have been accepted. */
export interface AcceptedPart {
  readonly part: number;
  readonly ids: readonly string[];
}

/** The outcome of each email of a part with a short answer; positions are those in the chunk. */
export interface Division {
  /** With an id for each. */
  readonly accepted: { readonly positions: readonly number[]; readonly ids: readonly string[] };
  /** They may be with the service. */
  readonly unknown: { readonly positions: readonly number[]; readonly problem: string };
  /** Not created: sent again under another key, or given up if there is a `problem`. */
  readonly untaken: SmallerPart;
  /** Contacts that the service has taken and not stored yet. */
  readonly waiting?: Pick<SmallerPart, 'positions'>;
}

export interface SmallerPart {
  readonly positions: readonly number[];
  /** Why the service refuses it; undefined when it is to be sent. */
  readonly problem: string | undefined;
}

type SqlRow = Readonly<Record<string, unknown>>;

export function toChunk({ number, rows: json, alone, position, length }: SqlRow): Chunk {
  let rows: readonly RowAddress[] | undefined;
  return {
    number: Number(number),
    /** Parsed when they are needed: a request that goes well needs none of a thousand. */
    get rows() {
      // Written by addChunk.
      rows ??= JSON.parse(String(json)) as RowAddress[];
      return rows;
    },
    alone: alone === 1,
    position: Number(position),
    length: Number(length),
  };
}

export function toPart(row: SqlRow): Part {
  const { id, positions, size, attempt, misses, settled } = row;
  return {
    id: Number(id),
    chunk: toChunk(row),
    positions: toList<number>(positions),
    size: Number(size),
    attempt: Number(attempt),
    settled: settled === 1,
    misses: Number(misses),
  };
}

export function toMoment({ begun_at: here, service_at: service }: SqlRow): Moment {
  return { here: Number(here), service: service === null ? undefined : Number(service) };
}

export function toOutcome({ positions, size, state, ids, problem }: SqlRow): PartOutcome {
  return {
    positions: toList<number>(positions),
    size: Number(size),
    // One of those the statements here write.
    state: String(state) as PartState,
    ids: toList<string>(ids),
    problem: typeof problem === 'string' ? problem : undefined,
  };
}

export function toList<Item>(value: unknown): readonly Item[] | undefined {
  // Written by the statements here: ids are strings, positions numbers.
  return typeof value === 'string' ? (JSON.parse(value) as Item[]) : undefined;
}
