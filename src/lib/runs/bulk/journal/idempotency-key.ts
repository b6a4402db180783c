import { createHash } from 'node:crypto';
import type { Part } from './run-parts.ts';

/**
 * The idempotency key of a part: its run, its chunk and, for less than a chunk, which emails. A key given by
 * hand is the key of the first chunk, unchanged; the number of the sending is added only from the second on.
 */
export function partKey(
  { run, key, sending }: KeyedRun,
  { chunk, positions, attempt }: Pick<Part, 'chunk' | 'positions' | 'attempt'>,
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

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
