import type { Journal } from '../journal/journal.ts';
import type { LeftOut, PartOutcome } from '../journal/run-parts.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { positionsOf } from '../send/part-emails.ts';
import type { RowResult } from './run-shapes.ts';

/** One result for each row of this journal, in input order. */
export function* rowResults({
  journal,
  header: { redirect },
}: Pick<OpenRun, 'journal' | 'header'>): Generator<RowResult> {
  const redirected = redirect === undefined ? {} : { redirectedTo: redirect };
  const leftOut = journal.leftOut();
  let next = leftOut.next();
  for (const result of inRowOrder(ofChunks(journal))) {
    for (; next.done !== true && next.value.row < result.row; next = leftOut.next()) {
      yield ofLeftOut(next.value);
    }
    yield { ...result, ...redirected };
  }
  for (; next.done !== true; next = leftOut.next()) yield ofLeftOut(next.value);
}

function* ofChunks(journal: Journal): Generator<RowResult[]> {
  for (const { chunk, parts } of journal.outcomes()) {
    const decisions: Decision[] = [];
    for (const part of parts) {
      for (const [index, position] of positionsOf(part).entries()) {
        decisions[position] = decide(part, index);
      }
    }
    yield chunk.rows().map(([row, to], at) => ({ row, to, ...(decisions[at] ?? notSent) }));
  }
}

/**
 * Merges chunks, which come in the order of their first rows, into rows in order. Only chunks whose rows
 * overlap are in memory; `createChunks` bounds their number.
 */
function* inRowOrder(chunks: Iterable<RowResult[]>): Generator<RowResult> {
  let open: RowResult[] = [];
  for (const rows of chunks) {
    const first = rows[0]?.row ?? 0;
    const later = open.findIndex(({ row }) => row > first);
    yield* open.splice(0, later === -1 ? open.length : later);
    open = open.length === 0 ? rows : [...open, ...rows].sort((one, other) => one.row - other.row);
  }
  yield* open;
}

type Decision = Pick<RowResult, 'emailId' | 'error'>;

const notSent: Decision = { error: { code: 'not_sent', message: 'not sent yet' } };
const unknown: Decision = {
  error: { code: 'unknown', message: 'it may have been sent; there was no response' },
};

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
    case 'ready':
    case 'split':
      return notSent;
  }
}

function ofLeftOut({ row, address, reason, problem, refusal }: LeftOut): RowResult {
  return { row, to: address, error: { code: reason, message: problem, ...refusal } };
}
