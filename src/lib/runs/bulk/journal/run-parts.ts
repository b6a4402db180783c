import type { PolicyRefusal } from '../../../base/errors.ts';
import type { Moment } from '../../../service/http/clocks.ts';

/** An email of a chunk: its row in the input, and its recipients. */
export type RowAddress = readonly [row: number, address: string];

/** Up to a hundred emails as they were prepared. */
export interface NewChunk {
  /** From 1. */
  readonly number: number;
  readonly rows: readonly RowAddress[];
  /** Whether it is one email in a request of its own, not in a batch. */
  readonly alone: boolean;
  /** The emails as a JSON array, in UTF-8. */
  readonly body: Uint8Array;
}

export interface Chunk extends Pick<NewChunk, 'number' | 'alone'> {
  /** Parsed by each call: a request that succeeds does not need its rows, up to a thousand. */
  readonly rows: () => readonly RowAddress[];
}

export type PartState = 'ready' | 'begun' | 'short' | 'accepted' | 'refused' | 'split' | 'unknown';

/** What one request sends. */
export interface Part {
  readonly id: number;
  readonly chunk: Chunk;
  /** Positions in the chunk, from 0; undefined for the whole chunk. */
  readonly positions: readonly number[] | undefined;
  /** Number of its emails. */
  readonly size: number;
  /** Raised when it is sent again under another idempotency key. */
  readonly attempt: number;
  /** Whether the service accepted other emails after or beside these: a rejection is about these. */
  readonly settled: boolean;
  /** How often the service accepted its request without these emails. */
  readonly misses: number;
}

/** A part without a response, or with a short one. */
export interface BegunPart extends Part {
  /** When its first request was sent, or earlier. */
  readonly begun: Moment;
  /** Whether `conflict` was called for it. */
  readonly isConflict: boolean;
  /** Ids of the created emails, fewer than were sent; undefined without a response. */
  readonly ids: readonly string[] | undefined;
}

/** What is known of a part, with or without an outcome. */
export interface PartOutcome extends Pick<Part, 'positions' | 'size'> {
  readonly state: PartState;
  readonly ids: readonly string[] | undefined;
  readonly problem: string | undefined;
}

/** A row that is not sent. */
export interface LeftOut {
  readonly row: number;
  readonly address: string;
  readonly reason: 'invalid' | 'policy' | 'duplicate' | 'opted_out';
  readonly problem: string;
  /** The rule of a policy that forbids it. */
  readonly refusal?: Pick<PolicyRefusal, 'rule' | 'place'>;
}

/** The ids of a part's emails, all accepted. */
export interface AcceptedPart {
  readonly part: number;
  readonly ids: readonly string[];
}

/** Some emails of a part as a part of their own, like it in all that is not given. */
export interface SmallerPart extends Partial<Pick<Part, 'attempt' | 'misses' | 'settled'>> {
  readonly positions: readonly number[];
  readonly state: PartState;
  /** An id for each email that is accepted. */
  readonly ids?: readonly string[];
  /** Why the service rejected them, or nobody can tell whether they were sent. */
  readonly problem?: string;
}

type SqlRow = Readonly<Record<string, unknown>>;

export function toChunk({ number, rows, alone }: SqlRow): Chunk {
  return {
    number: Number(number),
    // Written by addChunk. Not a getter: V8 would make a hidden class of its own for each chunk, which
    // keeps the row, and all rows until its next full garbage collection.
    rows: () => JSON.parse(String(rows)) as RowAddress[],
    alone: alone === 1,
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
    // The journal writes no others.
    state: String(state) as PartState,
    ids: toList<string>(ids),
    problem: typeof problem === 'string' ? problem : undefined,
  };
}

export function toList<Item>(value: unknown): readonly Item[] | undefined {
  // Written by the journal: ids are strings, positions numbers.
  return typeof value === 'string' ? (JSON.parse(value) as Item[]) : undefined;
}
