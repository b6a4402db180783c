import { createHash } from 'node:crypto';
import { UsageError } from '../../errors.ts';
import { checkIdempotencyKey } from '../../http/check-request.ts';
import { longestGivenKey } from '../flags.ts';

/** Throws a `UsageError` for an invalid key, or one that leaves no room for its suffixes. */
export function checkGivenKey(key: string): void {
  if (key.length > longestGivenKey) {
    throw new UsageError(
      `--idempotency-key: must have 1 to ${longestGivenKey} characters, not ${key.length}`,
      { hint: 'Nothing was sent. The idempotency key of every request starts with it.' },
    );
  }
  checkIdempotencyKey(key);
}

/**
 * The idempotency key of a part: its run, its chunk and, for less than a chunk, which emails. A key given by
 * hand is the key of the first chunk, unchanged; the number of the sending is added only from the second on.
 */
export function partKey(
  { run, key, sending }: KeyedRun,
  { chunk, positions, attempt }: PartName,
): string {
  const first = key !== undefined && chunk.number === 1;
  const which = [
    ...(key === undefined || sending === 1 ? [] : [`s${sending}`]),
    ...(first ? [] : [String(chunk.number)]),
    ...(positions === undefined ? [] : [digestOf(positions.join())]),
    ...(attempt === 0 ? [] : [`again${attempt}`]),
  ];
  return [key ?? `mailer-${run}`, ...which].join('-');
}

/** What of a run is in the idempotency keys of its parts. */
export interface KeyedRun {
  readonly run: string;
  readonly key: string | undefined;
  readonly sending: number;
}

interface PartName {
  readonly chunk: { readonly number: number };
  readonly positions: readonly number[] | undefined;
  readonly attempt: number;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
