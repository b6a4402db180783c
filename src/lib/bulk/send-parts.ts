import { ConflictError, MailerError, RejectedError } from '../errors.ts';
import { describeIssue } from '../reply.ts';
import type { BodyReader } from './bodies.ts';
import type { Journal, Part, SmallerPart } from './journal.ts';

/** Sends the emails in a JSON array (as text or its bytes) under an idempotency key, and returns an id for each, in order. */
export type SendBatch = (
  json: string | Uint8Array,
  idempotencyKey: string,
  emails: number,
) => Promise<readonly string[]>;

export interface SendPartsOptions {
  readonly journal: Journal;
  readonly bodies: BodyReader;
  readonly send: SendBatch;
  /** The idempotency key of a part. */
  readonly keyOf: (part: Part) => string;
  /** Requests under way at the same time. */
  readonly concurrency: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Told after every answer of emails that have been decided on. */
  readonly report: (accepted: number, refused: number) => void;
}

/**
 * Sends all parts that are not decided on yet: first those that were begun and have no answer,
 * under the same keys, then the others in the order of the input. Emails that the service refuses
 * are taken out; the rest of their hundred goes out without them.
 *
 * Ends when all is decided. Throws the first error that is about the run and not about an email,
 * once the requests under way have ended; all that was decided by then is in the journal.
 */
export async function sendParts(options: SendPartsOptions): Promise<void> {
  const { concurrency, signal } = options;
  const queue = createQueue(options);
  let failure: unknown;
  const worker = async () => {
    while (failure === undefined && !signal.aborted) {
      let part: Part | undefined;
      try {
        part = queue.next();
        if (part === undefined) return;
        await sendPart(part, options);
        queue.settled(part);
      } catch (error) {
        failure ??= error;
        const giveBack = !signal.aborted && neverHappened(error);
        if (part !== undefined) queue.settled(part, { giveBack });
      }
    }
  };
  try {
    // Splitting makes new parts after the others have ended.
    do await Promise.all(Array.from({ length: concurrency }, worker));
    while (failure === undefined && !signal.aborted && queue.hasMore());
  } finally {
    queue.close();
  }
  signal.throwIfAborted();
  if (failure !== undefined) throw failure;
}

/**
 * Whether it is certain that the service does not have the emails. A conflict is no such word:
 * somebody else is sending them under the same key, on another machine perhaps.
 */
function neverHappened(error: unknown): boolean {
  if (!(error instanceof MailerError) || error instanceof ConflictError) return false;
  return !error.outcomeUnknown && !error.mayBeOfProxy;
}

/** Hands out parts, a few taken from the journal at a time, as each taking waits for the disk. */
function createQueue({ journal, concurrency, now }: SendPartsOptions) {
  const taken: Part[] = [];
  const fresh = new Set<number>();
  let after = 0;
  let repeating = true;
  const putBack = (parts: readonly number[]) => {
    try {
      journal.giveBack(parts);
    } catch {
      // On a full disk, say. They stay begun, and are repeated under the same keys.
    }
  };
  const fill = () => {
    if (taken.length > 0) return;
    if (repeating) {
      const parts = journal.unanswered(after, 2 * concurrency);
      after = parts.at(-1)?.id ?? after;
      taken.push(...parts);
      repeating = parts.length > 0;
      if (repeating) return;
    }
    const parts = journal.begin(2 * concurrency, now());
    for (const { id } of parts) fresh.add(id);
    taken.push(...parts);
  };
  return {
    next(): Part | undefined {
      fill();
      return taken.shift();
    },
    hasMore(): boolean {
      fill();
      return taken.length > 0;
    },
    settled(part: Part, { giveBack = false } = {}) {
      // Of a part that an earlier process began, nobody here knows what became of that request.
      if (giveBack && fresh.has(part.id)) putBack([part.id]);
      fresh.delete(part.id);
    },
    close() {
      putBack(taken.filter(({ id }) => fresh.has(id)).map(({ id }) => id));
    },
  };
}

async function sendPart(part: Part, options: SendPartsOptions): Promise<void> {
  const { journal, bodies, send, keyOf, report } = options;
  const json = await jsonOf(part, bodies);
  const positions = part.positions ?? part.chunk.rows.map((_, index) => index);
  let ids: readonly string[];
  try {
    ids = await send(json, keyOf(part), positions.length);
  } catch (error) {
    if (!(error instanceof RejectedError) || !isAboutEmails(error)) throw error;
    refuse(part, positions, error, options);
    return;
  }
  journal.accept(part.id, ids);
  report(ids.length, 0);
}

/**
 * Whether emails may go out under other keys because of a refusal. A proxy may refuse what the
 * service has accepted, except that what is too large for it never got that far.
 */
function isAboutEmails({ mayBeOfProxy, details }: RejectedError): boolean {
  return !mayBeOfProxy || details.status === 413;
}

async function jsonOf(
  { chunk, positions }: Part,
  bodies: BodyReader,
): Promise<string | Uint8Array> {
  const json = await bodies.read(chunk);
  if (positions === undefined) return json;
  // Written by `prepare`.
  const emails = JSON.parse(json.toString('utf8')) as unknown[];
  return JSON.stringify(positions.map((position) => emails[position]));
}

/** What follows when the service refuses a part: some of its emails are at fault, or one of them. */
function refuse(
  part: Part,
  positions: readonly number[],
  error: RejectedError,
  { journal, report }: SendPartsOptions,
): void {
  if (positions.length === 1) {
    journal.refuse(part.id, error.message);
    report(0, 1);
    stopWhenAllAreRefused(journal, error);
    return;
  }
  const named = namedProblems(error, positions);
  if (named.size === 0) {
    const half = Math.ceil(positions.length / 2);
    const halves = [positions.slice(0, half), positions.slice(half)];
    journal.split(
      part,
      halves.map((half) => ({ positions: half, problem: undefined })),
    );
    return;
  }
  const rest = positions.filter((position) => !named.has(position));
  const smaller: SmallerPart[] = [...named].map(([position, problem]) => ({
    positions: [position],
    problem,
  }));
  if (rest.length > 0) smaller.push({ positions: rest, problem: undefined });
  journal.split(part, smaller);
  report(0, named.size);
}

/** Emails that are refused one by one before it is clear that it is not about them. */
const enoughRefusals = 10;

/**
 * When the service takes none of the first emails, it is not about them: a sender domain that is
 * not verified, say. They are not given up then, and the run can go on once that is mended.
 */
function stopWhenAllAreRefused(journal: Journal, error: RejectedError): void {
  const { accepted, refused } = journal.counts();
  if (accepted > 0 || refused < enoughRefusals) return;
  journal.reopenRefused();
  throw error;
}

/** Which emails the service names, and why: an issue's path starts with the place in the request. */
function namedProblems(
  { details }: RejectedError,
  positions: readonly number[],
): Map<number, string> {
  const named = new Map<number, string>();
  for (const { path, message } of details.issues ?? []) {
    const [index, ...rest] = path;
    const position = typeof index === 'number' ? positions[index] : undefined;
    if (position === undefined) continue;
    const said = describeIssue({ path: rest, message });
    named.set(position, [named.get(position), said].filter(Boolean).join('; '));
  }
  return named;
}
