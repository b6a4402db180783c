import type { ComparedOutcome, ImportRow, LeftOutRow } from './parts.ts';

/**
 * The outcome of a row. `skipped`: not in the book, and the row has no consent. `duplicate`: a later row has the same
 * address and counts. `policy`: `rule` in `place` does not allow it. `missing`: accepted by the service, but not in
 * the book yet. `unknown`: it is unknown whether the service accepted it.
 */
export type ContactOutcome =
  | ComparedOutcome
  | LeftOutRow['outcome']
  | ('rejected' | 'missing' | 'unknown');

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

/** The results of rows, in the same order. */
export function* contactResults(rows: Iterable<ImportRow>): Generator<ContactResult> {
  for (const row of rows) yield contactResult(row);
}

/** The result of one row. */
export function contactResult({
  said: [row, email, kind, note],
  state,
  refusal,
}: ImportRow): ContactResult {
  const of = { row, email };
  const message = note ?? '';
  switch (state) {
    case 'left out': {
      if (kind === 'unchanged' || kind === 'unsubscribed')
        return { ...of, outcome: kind, id: message };
      return {
        ...of,
        outcome: kind,
        message,
        ...(refusal === undefined ? {} : JSON.parse(refusal)),
      };
    }
    case 'there':
      return { ...of, outcome: kind, ...(message === '' ? {} : { id: message }) };
    case 'rejected':
      return { ...of, outcome: 'rejected', message };
    case 'queued':
      return { ...of, outcome: 'missing', message: 'queued, and not in the book yet' };
    case 'ready':
    case 'taken':
    case 'begun':
    case 'unknown':
      return { ...of, outcome: 'unknown', message: noResponse };
  }
}

const noResponse =
  'it may still arrive: there was no response to its request, and it is not in the book yet';
