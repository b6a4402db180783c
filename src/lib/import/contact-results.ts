import type { Journal } from '../bulk/journal/journal.ts';
import type { LeftOut, PartOutcome, RowAddress } from '../bulk/journal/run-parts.ts';
import { resultsInOrder } from '../bulk/show/row-results.ts';
import { noResponse } from './await-arrival.ts';
import type { ComparedOutcome } from './compare.ts';

/**
 * The outcome of a row. `skipped`: not in the book, and the row has no consent. `duplicate`: a later row has the same
 * address and counts. `policy`: `rule` in `place` does not allow it. `missing`: accepted by the service, but not in
 * the book yet. `unknown`: it is unknown whether the service accepted it. `not_sent`: the run was stopped before.
 */
export const contactOutcomes = [
  ...(['new', 'changed', 'unchanged', 'unsubscribed', 'skipped'] as const),
  ...(['duplicate', 'invalid'] as const),
  ...(['policy', 'rejected', 'missing', 'unknown', 'not_sent'] as const),
] as const;

export type ContactOutcome = (typeof contactOutcomes)[number];

/** The outcome of one row of an import. */
export interface ContactResult {
  readonly row: number;
  readonly email: string;
  readonly outcome: ContactOutcome;
  /** The contact's id, if the book is known to have it. */
  readonly id?: string;
  /** Why the book does not match the row. */
  readonly message?: string;
  readonly rule?: string;
  readonly place?: string;
}

/** One result for each row of an import, in input order. */
export function contactResults(journal: Journal): Generator<ContactResult> {
  return resultsInOrder<ContactResult>(journal, { ofRow, ofLeftOut });
}

function ofRow(
  [row, email, kind]: RowAddress,
  part: PartOutcome | undefined,
  index: number,
): ContactResult {
  const id = part?.ids?.[index];
  switch (part?.state) {
    case 'accepted':
      // Written by `createComparison`.
      return { row, email, outcome: kind as ComparedOutcome, ...(id ? { id } : {}) };
    case 'refused':
      return { row, email, outcome: 'rejected', message: part.problem ?? 'rejected' };
    case 'short':
      return { row, email, outcome: 'missing', message: 'queued, and not in the book yet' };
    case 'begun':
    case 'unknown':
      return { row, email, outcome: 'unknown', message: part.problem ?? noResponse };
    default:
      return { row, email, outcome: 'not_sent', message: 'not sent yet' };
  }
}

function ofLeftOut({ row, address, reason, problem, refusal }: LeftOut): ContactResult {
  // `opted_out` is of emails.
  const outcome = reason as Exclude<typeof reason, 'opted_out'>;
  const isThere = outcome === 'unchanged' || outcome === 'unsubscribed';
  const why = isThere ? { id: problem } : { message: problem, ...refusal };
  return { row, email: address, outcome, ...why };
}
