import type { Names } from './disk.ts';
import type { Trouble } from './machine.ts';
import type { RequestTrouble } from './service.ts';

/** One row of the input: how it is sent, and how the service handles it. */
export type EmailKind = 'plain' | 'template a' | 'template b' | 'alone' | 'rejected';

/** One row of an import: how it differs from the book, and how the service handles it. */
export type ContactKind =
  | 'new'
  | 'changed'
  | 'same'
  /** Ends a subscription. */
  | 'leaving'
  /** Was unsubscribed before, and stays so although the row subscribes it. */
  | 'unsubscribed'
  /** Was asked to confirm, and has not confirmed. */
  | 'pending'
  | 'rejected';

/** Everything that determines a history: it can be replayed exactly. */
export interface History {
  readonly seed: number;
  readonly rows: readonly (EmailKind | ContactKind)[];
  /** For imports: whether the book asks contacts to confirm. */
  readonly book?: 'asks' | 'open';
  readonly names: Names;
  readonly concurrency: number;
  readonly retries: number;
  /** Seconds after which the command is started again. Default: 0, then some. */
  readonly pause?: number;
  /** With two, every second start of the command is with another URL of the same service. Default: one. */
  readonly urls?: 'one' | 'two';
  /** Whether the service lists its emails; otherwise it only shows single ones. Default: whole. */
  readonly list?: 'whole' | 'none';
  /** By the number of the step, over all processes, from 1. */
  readonly troubles: readonly (readonly [step: number, trouble: Trouble])[];
  /** By the number of the request, from 1. */
  readonly requests: readonly (readonly [request: number, trouble: RequestTrouble])[];
}
