import {
  BadReplyError,
  ConflictError,
  MailerError,
  RateLimitedError,
  UnavailableError,
} from '../../errors.ts';
import type { WireReply } from '../../system/wire.ts';
import type { BodyReader } from '../journal/bodies.ts';
import type { Clocks } from '../journal/clocks.ts';
import type { Part } from '../journal/journal.ts';
import { createLastTries, type LastTries, type LastTriesOptions } from './last-tries.ts';
import { namingRows } from './named-rows.ts';
import { createPartQueue, type Handed, type PartQueue } from './part-queue.ts';
import {
  createRefusals,
  inDoubt,
  isAboutEmails,
  type Refusals,
  type RefusalsOptions,
} from './refusals.ts';
import { createShortReplies, type ShortRepliesOptions } from './short-replies.ts';

/**
 * Sends the emails in a JSON array, as text or its bytes. Returns the ids of those accepted, in
 * order; fewer than emails where the service left some out.
 */
export type SendBatch = (
  json: string | Uint8Array,
  request: BatchRequest,
) => Promise<readonly string[]>;

export interface BatchRequest {
  readonly emails: number;
  /** Whether the only email goes out by itself, and not as a batch of one. */
  readonly alone: boolean;
  readonly idempotencyKey: string;
  /** Called right before each request leaves. */
  readonly leaves: () => void;
  /** Called with each answer. */
  readonly heard: (reply: WireReply) => void;
}

export interface SendPartsOptions extends RefusalsOptions, ShortRepliesOptions, LastTriesOptions {
  readonly leftOut: ShortRepliesOptions['leftOut'] & LastTriesOptions['leftOut'];
  readonly send: SendBatch;
  /** The idempotency key of a part. */
  readonly keyOf: (part: Part) => string;
  /** Requests under way at the same time. */
  readonly concurrency: number;
  readonly clocks: Clocks;
  /** Milliseconds of the monotonic clock. */
  readonly monotonic: () => number;
}

/**
 * Sends all parts that are not decided on yet: first those that were begun and have no answer,
 * under the same keys, then the others in the order of the input. Emails that the service refuses
 * are taken out; the rest of their hundred goes out without them.
 *
 * Ends when all is decided. Throws the first error that is about the run and not about an email,
 * once the requests under way have ended; all that was decided by then is in the journal. What only
 * concerns emails that may have been sent is thrown when all others have gone out. Then, too, what the
 * service fails at is tried a last time.
 */
export async function sendParts(options: SendPartsOptions): Promise<void> {
  const { journal, concurrency, signal } = options;
  const queue = createPartQueue(options);
  const refusals = createRefusals(options);
  let failure: unknown;
  let doubt: unknown;
  const settleShort = createShortReplies(options, {
    refusals,
    goesOn: () => failure === undefined,
    later: (error) => {
      doubt ??= error;
    },
  });
  const lastTries = createLastTries(options);
  const sendPart = partSender(options, { queue, refusals, lastTries, settleShort });
  const send = async (handed: Handed) => {
    try {
      await sendPart(handed);
      queue.settled(handed);
    } catch (error) {
      const next = mayBeInDoubt(error, handed) ? 'in doubt' : lastTries.takes(handed, error);
      if (next === 'later') return;
      if (next === 'in doubt') doubt ??= error;
      if (next === undefined) failure ??= error;
      queue.settled(handed, { unsent: !signal.aborted && neverHappened(error) });
    }
  };
  const worker = async () => {
    try {
      while (failure === undefined && !signal.aborted) {
        const handed = queue.next() ?? lastTries.next();
        if (handed === undefined) return;
        await send(handed);
      }
    } catch (error) {
      // The others end first: what they use is closed after that.
      failure ??= error;
    }
  };
  try {
    let isMore = true;
    while (isMore) {
      await Promise.all(Array.from({ length: concurrency }, worker));
      if (failure !== undefined || signal.aborted) break;
      queue.write();
      // Splitting makes new parts after the others have ended.
      isMore = journal.counts().ready > 0 || lastTries.begin();
    }
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    refusals.end();
    if (doubt !== undefined) throw doubt;
  } catch (error) {
    queue.close();
    refusals.reopen();
    throw error;
  }
}

/** Whether the part stays as it is after this answer, to be repeated later, and the others go on. */
function mayBeInDoubt(error: unknown, handed: Handed): boolean {
  return inDoubt(error, handed) !== undefined || isRepeatedNonsense(error, handed);
}

/**
 * Whether it is an invalid response to a request that was sent before. It must not keep
 * the other emails waiting until the service has forgotten the request.
 */
function isRepeatedNonsense(error: unknown, { fresh }: Handed): boolean {
  return !fresh && error instanceof BadReplyError;
}

/**
 * Whether it is certain that the service does not have the emails. A conflict is no such word:
 * somebody else is sending them under the same key, on another machine perhaps.
 */
function neverHappened(error: unknown): boolean {
  if (!(error instanceof MailerError) || error instanceof ConflictError) return false;
  return !error.outcomeUnknown && !error.unansweredBefore && !error.mayBeOfProxy;
}

interface PartSenderTools {
  readonly queue: PartQueue;
  readonly refusals: Refusals;
  readonly lastTries: LastTries;
  readonly settleShort: ReturnType<typeof createShortReplies>;
}

function partSender(
  { journal, bodies, send, keyOf, clocks, report }: SendPartsOptions,
  { queue, refusals, lastTries, settleShort }: PartSenderTools,
): (handed: Handed) => Promise<void> {
  let acceptances = 0;
  /** As long as other requests are accepted, one that is answered 429 has only to wait. */
  const sendPatiently = async (handed: Handed): Promise<readonly string[]> => {
    const { part } = handed;
    const json = jsonOf(part, bodies);
    const { leaves, heard } = clocks.listen();
    const request: BatchRequest = {
      emails: sizeOf(part),
      alone: part.chunk.alone,
      idempotencyKey: keyOf(part),
      leaves: () => {
        queue.leaves(handed);
        leaves();
      },
      heard,
    };
    let outcomeUnknown = false;
    for (;;) {
      const before = acceptances;
      try {
        return await send(json, request);
      } catch (error) {
        if (!(error instanceof MailerError)) throw error;
        error.unansweredBefore ||= outcomeUnknown;
        outcomeUnknown ||= error.outcomeUnknown;
        error.outcomeUnknown = outcomeUnknown;
        if (error instanceof ConflictError) {
          if (outcomeUnknown || isOurs(handed)) throw stillInProgress(error);
          journal.conflict(part.id);
          error.details = { ...error.details, hint: keyInUse };
        }
        if (!(error instanceof RateLimitedError) || acceptances === before) throw error;
      }
    }
  };
  return async (handed) => {
    const { part } = handed;
    if ('ids' in part && part.ids !== undefined) return await settleShort(part, part.ids);
    let ids: readonly string[];
    try {
      ids = await sendPatiently(handed);
    } catch (error) {
      if (!isAboutEmails(error, handed)) throw namingRows(error, part);
      report(0, refusals.refuse(part, error));
      return;
    }
    if (ids.length > 0) {
      acceptances++;
      refusals.accepted();
      lastTries.accepted(part);
    }
    if (ids.length < sizeOf(part)) return await settleShort(part, ids);
    queue.accepted(handed, ids);
    report(ids.length, 0);
  };
}

const keyInUse =
  'Another request uses the idempotency key of these emails now, or has used it for other emails. Wait a minute before you resume. If the error is the same then, look with mailer email list whether they were sent.';

/**
 * Whether the request in progress under a part's key is that of this run, and not
 * somebody else's, which an earlier 409 would have shown.
 */
function isOurs({ part, fresh }: Handed): boolean {
  return !fresh && !('isConflict' in part && part.isConflict);
}

/** A 409 after a request of our own that had no answer: the service is at work on that one. */
function stillInProgress({ details }: ConflictError): UnavailableError {
  const error = new UnavailableError('The service is still processing a request.', {
    ...details,
    hint: undefined,
  });
  error.outcomeUnknown = true;
  return error;
}

function sizeOf({ positions, chunk }: Part): number {
  return (positions ?? chunk.rows).length;
}

function jsonOf({ chunk, positions }: Part, bodies: BodyReader): string | Buffer {
  const json = bodies.read(chunk);
  if (positions === undefined) return json;
  // Written by `prepare`.
  const emails = JSON.parse(json.toString('utf8')) as unknown[];
  return JSON.stringify(positions.map((position) => emails[position]));
}
