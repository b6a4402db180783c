import type { Journal } from '../journal/journal.ts';
import type { LeftOut, PartOutcome, RowAddress } from '../journal/run-parts.ts';
import type { OpenRun } from '../journal/run-store.ts';
import type { RowResult } from './run-shapes.ts';

/** One result for each row of this journal, in input order. */
export function rowResults({
  journal,
  header: { redirect },
}: Pick<OpenRun, 'journal' | 'header'>): Generator<RowResult> {
  if (redirect === undefined) return resultsInOrder(journal, { ofRow, ofLeftOut });
  return resultsInOrder<RowResult>(journal, {
    ofRow: (...given) => ({ ...ofRow(...given), redirectedTo: redirect }),
    ofLeftOut,
  });
}

function ofRow([row, to]: RowAddress, part: PartOutcome | undefined, index: number): RowResult {
  const decision = part === undefined ? notSent : decide(part, index);
  const { emailId } = decision;
  // Nearly all rows are like this, and spreading takes longer.
  return emailId === undefined ? { row, to, ...decision } : { row, to, emailId };
}

/** Makes the result of a row that was to be sent, by its index in a part, and of one that was left out. */
interface Results<Result> {
  ofRow(row: RowAddress, part: PartOutcome | undefined, index: number): Result;
  ofLeftOut(row: LeftOut): Result;
}

/** One result for each row of a journal, in input order. */
export function* resultsInOrder<Result extends { readonly row: number }>(
  journal: Journal,
  { ofRow, ofLeftOut }: Results<Result>,
): Generator<Result> {
  const leftOut = journal.leftOut()[Symbol.iterator]();
  let next = leftOut.next();
  function* ofChunks(): Generator<Result[]> {
    for (const { chunk, parts } of journal.outcomes()) {
      const rows = chunk.rows();
      const places = placesIn(parts, rows.length);
      yield rows.map((row, position) => {
        const { part, index = position } = places?.[position] ?? { part: parts[0] };
        return ofRow(row, part, index);
      });
    }
  }
  for (const result of inRowOrder(ofChunks())) {
    while (next.done !== true && next.value.row < result.row) {
      yield ofLeftOut(next.value);
      next = leftOut.next();
    }
    yield result;
  }
  for (; next.done !== true; next = leftOut.next()) yield ofLeftOut(next.value);
}

/**
 * Merges chunks, which come in the order of their first rows, into rows in order. Only chunks whose rows
 * overlap are in memory; `createChunks` bounds their number.
 */
function* inRowOrder<Result extends { readonly row: number }>(
  chunks: Iterable<Result[]>,
): Generator<Result> {
  let open: { readonly rows: Result[]; at: number }[] = [];
  const rowOf = ({ rows, at }: (typeof open)[number]) => rows[at]?.row ?? Number.POSITIVE_INFINITY;
  function* before(limit: number): Generator<Result> {
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
    default:
      return notSent;
  }
}

function ofLeftOut({ row, address, reason, problem, refusal }: LeftOut): RowResult {
  const isKnown = reason === 'duplicate' || reason === 'policy' || reason === 'opted_out';
  const code = isKnown ? reason : 'invalid';
  return { row, to: address, error: { code, message: problem, ...refusal } };
}
