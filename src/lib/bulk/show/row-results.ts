import type { Journal } from '../journal/journal.ts';
import type { LeftOut, PartOutcome } from '../journal/parts.ts';

/** The outcome of one row of the input. */
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
  for (const result of inRowOrder(resultsOfChunks(journal))) {
    while (next.done !== true && next.value.row < result.row) {
      yield leftOutResult(next.value);
      next = leftOut.next();
    }
    yield result;
  }
  for (; next.done !== true; next = leftOut.next()) yield leftOutResult(next.value);
}

function* resultsOfChunks(journal: Journal): Generator<RowResult[]> {
  for (const { chunk, parts } of journal.outcomes()) {
    const decided = decisions(parts, chunk.rows.length);
    yield chunk.rows.map(([row, to], position) => {
      const decision = decided[position] ?? notSent;
      const { emailId } = decision;
      // Nearly all are like this, and spreading takes longer.
      return emailId === undefined ? { row, to, ...decision } : { row, to, emailId };
    });
  }
}

/**
 * Merges chunks, which come in the order of their first rows, into rows in order. Only chunks whose rows
 * overlap are in memory; `createChunks` bounds their number.
 */
function* inRowOrder(chunks: Iterable<RowResult[]>): Generator<RowResult> {
  let open: { readonly rows: RowResult[]; at: number }[] = [];
  const rowOf = ({ rows, at }: (typeof open)[number]) => rows[at]?.row ?? Number.POSITIVE_INFINITY;
  function* before(limit: number): Generator<RowResult> {
    for (;;) {
      let next = open[0];
      for (const one of open) if (next === undefined || rowOf(one) < rowOf(next)) next = one;
      const result = next?.rows[next.at];
      if (next === undefined || result === undefined || result.row >= limit) return;
      yield result;
      next.at++;
      if (next.at === next.rows.length) open = open.filter((one) => one !== next);
    }
  }
  for (const rows of chunks) {
    yield* before(rows[0]?.row ?? 0);
    open.push({ rows, at: 0 });
  }
  yield* before(Number.POSITIVE_INFINITY);
}

type Decision = Pick<RowResult, 'emailId' | 'error'>;

const notSent: Decision = { error: { code: 'not_sent', message: 'not sent yet' } };
const unknown: Decision = {
  error: { code: 'unknown', message: 'it may have been sent; there was no response' },
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
    case 'unknown':
      return problem === undefined ? unknown : { error: { code: 'unknown', message: problem } };
    case 'begun':
    case 'short':
      return unknown;
    default:
      return notSent;
  }
}

function leftOutResult({ row, address, reason, problem }: LeftOut): RowResult {
  return { row, to: address, error: { code: reason, message: problem } };
}
