import type { Journal } from '../journal/journal.ts';
import type { LeftOut, PartOutcome, RowAddress } from '../journal/run-parts.ts';
import type { OpenRun } from '../journal/run-store.ts';
import type { RowResult } from './run-shapes.ts';

/** One result for each row of this journal, in input order. */
export function rowResults({
  journal,
  header: { redirect },
}: Pick<OpenRun, 'journal' | 'header'>): Generator<RowResult> {
  if (redirect === undefined) return resultsInOrder(journal, ofRow);
  return resultsInOrder(journal, (...given) => ({ ...ofRow(...given), redirectedTo: redirect }));
}

function ofRow([row, to]: RowAddress, part: PartOutcome | undefined, index: number): RowResult {
  const decision = part === undefined ? notSent : decide(part, index);
  const { emailId } = decision;
  // Nearly all rows are like this, and spreading takes longer.
  return emailId === undefined ? { row, to, ...decision } : { row, to, emailId };
}

/** Makes the result of a row that was to be sent, by its index in a part. */
type OfRow = typeof ofRow;

/** One result for each row of a journal, in input order. */
function* resultsInOrder(journal: Journal, ofRow: OfRow): Generator<RowResult> {
  const leftOut = journal.leftOut();
  let next = leftOut.next();
  for (const result of inRowOrder(ofChunks(journal, ofRow))) {
    for (; next.done !== true && next.value.row < result.row; next = leftOut.next()) {
      yield ofLeftOut(next.value);
    }
    yield result;
  }
  for (; next.done !== true; next = leftOut.next()) yield ofLeftOut(next.value);
}

function* ofChunks(journal: Journal, ofRow: OfRow): Generator<RowResult[]> {
  for (const { chunk, parts } of journal.outcomes()) {
    const rows = chunk.rows();
    const places = placesIn(parts, rows.length);
    yield rows.map((row, position) => {
      const { part, index = position } = places?.[position] ?? { part: parts[0] };
      return ofRow(row, part, index);
    });
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

/** Where each row of a chunk is: in which part, at which index. Undefined if one part has all rows. */
function placesIn(parts: readonly PartOutcome[], size: number) {
  const [whole, ...more] = parts;
  if (whole !== undefined && whole.positions === undefined && more.length === 0) return undefined;
  const places: { part: PartOutcome | undefined; index: number }[] = Array.from(
    { length: size },
    (_, index) => ({ part: undefined, index }),
  );
  for (const part of parts) {
    const positions = part.positions ?? places.keys();
    for (const [index, position] of [...positions].entries()) places[position] = { part, index };
  }
  return places;
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
    case 'ready':
    case 'split':
      return notSent;
  }
}

function ofLeftOut({ row, address, reason, problem, refusal }: LeftOut): RowResult {
  return { row, to: address, error: { code: reason, message: problem, ...refusal } };
}
