import type { SendBody } from '../../../api/email.ts';
import type { Problem } from '../../errors.ts';
import type { SendOptions } from '../../http/client.ts';
import type { Exchanged } from '../../http/outcome.ts';
import type { BodyReader } from '../journal/bodies.ts';
import type { Clocks } from '../journal/clocks.ts';
import type { Journal } from '../journal/journal.ts';
import type { Part } from '../journal/parts.ts';
import type { ReadBack } from './read-back.ts';
import type { RowWarnings } from './row-warnings.ts';

/** What sending the parts of a run needs. */
export interface SendingOptions {
  readonly journal: Journal;
  readonly bodies: BodyReader;
  readonly send: SendBatch;
  readonly readBack: ReadBack;
  /** The idempotency key of a part. */
  readonly keyOf: (part: Part) => string;
  /** Called when a request leaves: from then on emails may have gone out. */
  readonly begins: () => void;
  /** Requests under way at the same time. */
  readonly concurrency: number;
  /** Whether a refusal is always about the emails. */
  readonly keepGoing: boolean;
  /** Takes out of what the service says that which must not be kept. */
  readonly redacted: (text: string) => string;
  readonly clocks: Clocks;
  /** Milliseconds of the monotonic clock. */
  readonly monotonic: () => number;
  readonly signal: AbortSignal;
  /** Adds to the error that stops a run what these rejected emails show of its cause. */
  readonly explain: (
    error: unknown,
    problem: Problem,
    emails: readonly SendBody[],
  ) => Promise<unknown>;
  /** Told of rows to warn of at the end. */
  readonly warnOf: RowWarnings['add'];
  /** Told of emails that have been decided on. */
  readonly report: (accepted: number, refused: number) => void;
}

/**
 * Sends the emails in a JSON array, as text or its bytes. The value is the ids of those accepted, in
 * order; fewer than emails where the service left some out.
 */
export type SendBatch = (
  json: string | Uint8Array,
  request: BatchRequest,
) => Promise<Exchanged<readonly string[]>>;

export interface BatchRequest
  extends Pick<SendOptions, 'idempotencyKey' | 'leaves' | 'heard' | 'digest'> {
  readonly emails: number;
  /** Whether the only email goes out by itself, and not as a batch of one. */
  readonly alone: boolean;
}
