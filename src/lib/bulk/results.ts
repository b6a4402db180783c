import type { Journal, LeftOut, PartOutcome } from './journal.ts';

/** What became of one row of the input. */
export interface RowResult {
  readonly row: number;
  /** Its recipients. */
  readonly to: string;
  readonly emailId?: string;
  readonly error?: { readonly code: RowErrorCode; readonly message: string };
}

/**
 * `invalid`, `duplicate`: never sent. `rejected`: the service refused it. `unknown`: it may have
 * been sent. `not_sent`: not yet; the next run sends it.
 */
export type RowErrorCode = 'invalid' | 'duplicate' | 'rejected' | 'unknown' | 'not_sent';

/** One result for each row that this journal is about, in input order. */
export function* rowResults(journal: Journal): Generator<RowResult> {
  const leftOut = journal.leftOut()[Symbol.iterator]();
  let next = leftOut.next();
  for (const { chunk, parts } of journal.outcomes()) {
    const decided = decisions(parts, chunk.rows.length);
    for (const [position, [row, to]] of chunk.rows.entries()) {
      while (next.done !== true && next.value.row < row) {
        yield leftOutResult(next.value);
        next = leftOut.next();
      }
      const decision = decided[position] ?? notSent;
      const { emailId } = decision;
      // Nearly all are like this, and spreading takes longer.
      yield emailId === undefined ? { row, to, ...decision } : { row, to, emailId };
    }
  }
  for (; next.done !== true; next = leftOut.next()) yield leftOutResult(next.value);
}

type Decision = Pick<RowResult, 'emailId' | 'error'>;

const notSent: Decision = { error: { code: 'not_sent', message: 'not sent yet' } };
const unknown: Decision = {
  error: { code: 'unknown', message: 'it may have been sent; there was no answer' },
};

function decisions(parts: readonly PartOutcome[], size: number): Decision[] {
  const [whole, ...more] = parts;
  if (whole?.state === 'accepted' && whole.positions === undefined && more.length === 0) {
    return Array.from({ length: size }, (_, index) => decide(whole, index));
  }
  const decided: Decision[] = Array.from({ length: size });
  for (const part of parts) {
    const positions = part.positions ?? Array.from({ length: size }, (_, index) => index);
    for (const [index, position] of positions.entries()) decided[position] = decide(part, index);
  }
  return decided;
}

function decide({ state, ids, problem }: PartOutcome, index: number): Decision {
  switch (state) {
    case 'accepted': {
      const emailId = ids?.[index];
      return emailId === undefined ? unknown : { emailId };
    }
    case 'refused':
      return { error: { code: 'rejected', message: problem ?? 'refused' } };
    case 'begun':
    case 'unknown':
      return unknown;
    default:
      return notSent;
  }
}

function leftOutResult({ row, address, reason, problem }: LeftOut): RowResult {
  return { row, to: address, error: { code: reason, message: problem } };
}
