import type { Names } from './disk.ts';
import type { Trouble } from './machine.ts';
import type { RequestTrouble } from './service.ts';

/** One row of the input: how it is sent, and what the service makes of it. */
export type EmailKind = 'plain' | 'template a' | 'template b' | 'alone' | 'rejected';

/** One row of an import: what its contact is to the book, and what the service makes of it. */
export type ContactKind =
  | 'new'
  | 'changed'
  | 'same'
  /** Ends a subscription. */
  | 'leaving'
  /** Was unsubscribed before, and stays so although the row says otherwise. */
  | 'unsubscribed'
  /** Has been asked to confirm, and has not. */
  | 'pending'
  | 'rejected';

/** All that decides a history: the same one happens the same way each time. */
export interface History {
  readonly seed: number;
  readonly rows: readonly (EmailKind | ContactKind)[];
  /** Where contacts are imported: whether the book asks them to confirm. */
  readonly book?: 'asks' | 'open';
  readonly names: Names;
  readonly concurrency: number;
  readonly retries: number;
  /** By the number of the step, of all processes, from 1. */
  readonly troubles: readonly (readonly [step: number, trouble: Trouble])[];
  /** By the number of the request, from 1. */
  readonly requests: readonly (readonly [request: number, trouble: RequestTrouble])[];
}
