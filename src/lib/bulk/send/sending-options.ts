import type { SendBody } from '../../../api/email.ts';
import type { Problem } from '../../errors.ts';
import type { SendOptions } from '../../http/client.ts';
import type { Clocks } from '../../http/clocks.ts';
import type { Exchanged } from '../../http/outcome.ts';
import type { Journal } from '../journal/journal.ts';
import type { Part } from '../journal/run-parts.ts';
import type { FindBegun } from './find-begun.ts';
import type { ReadBack } from './read-back.ts';
import type { RowWarnings } from './row-warnings.ts';

/** What sending the parts of a run needs. */
export interface SendingOptions {
  readonly journal: Journal;
  readonly send: SendBatch;
  readonly readBack: ReadBack;
  readonly findBegun: FindBegun;
  /** The idempotency key of a part. */
  readonly keyOf: (part: Part) => string;
  /** Called after a request that may have arrived: from then on, emails may be on their way. */
  readonly begins: () => void;
  /** Requests at the same time. */
  readonly concurrency: number;
  /** Whether a rejection is always about the emails. */
  readonly keepGoing: boolean;
  /** Removes from the service's messages what must not be stored. */
  readonly redacted: (text: string) => string;
  readonly clocks: Clocks;
  /** Milliseconds of the monotonic clock. */
  readonly monotonic: () => number;
  readonly signal: AbortSignal;
  /** Adds to the error that stops a run what these rejected emails reveal about its cause. */
  readonly explain: (
    error: unknown,
    problem: Problem,
    emails: readonly SendBody[],
  ) => Promise<unknown>;
  /** Receives rows to warn about at the end. */
  readonly warnOf: RowWarnings['add'];
  /** Receives numbers of decided emails. */
  readonly report: (accepted: number, refused: number) => void;
}

/**
 * Sends the emails in a JSON array, as text or bytes. The value is the ids of the created emails, in order;
 * fewer than emails if the service left some out.
 */
export type SendBatch = (
  json: string | Uint8Array,
  request: BatchRequest,
) => Promise<Exchanged<readonly string[]>>;

export interface BatchRequest
  extends Pick<SendOptions, 'idempotencyKey' | 'leaves' | 'heard' | 'digest'> {
  readonly emails: number;
  /** Whether the only email is sent by itself, and not as a batch of one. */
  readonly alone: boolean;
}
