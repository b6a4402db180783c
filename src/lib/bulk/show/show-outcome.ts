import type { Context } from '../../command/context.ts';
import { PartialError } from '../../errors.ts';
import type { Result } from '../../output/result.ts';
import type { RunHeader } from '../journal/header.ts';
import type { Counts } from '../journal/journal.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { againFlag } from './resume-hint.ts';
import { type RowResult, rowResults } from './row-results.ts';
import { showResults } from './show-results.ts';
import { outcomeInWords } from './summary.ts';

/** Rows that a person reads on a terminal; of more, those with a problem. */
const mostOnTerminal = 20;

/** What became of the rows of a run. The run is closed once they have been shown. */
export function showOutcome(
  context: Context,
  run: OpenRun,
  header: RunHeader,
  sending: number,
): Result {
  const { system } = context;
  const counts = run.journal.counts();
  const format = context.format();
  const forPerson = format === 'table' && system.stdout.isTTY === true;
  const wanted = (row: RowResult) => {
    if (format === 'quiet') return row.emailId !== undefined;
    return !forPerson || header.rows <= mostOnTerminal || row.error !== undefined;
  };
  return showResults({
    rows: closing(filtered(rowResults(run.journal), wanted), run),
    summary: { run: header.run, rows: header.rows, emails: header.emails, ...withoutOpen(counts) },
    message: outcomeInWords(counts, header),
    failure: failureOfRun(counts, header, sending),
  });
}

/** What a run ends with of which not every row was accepted. */
export function failureOfRun(
  counts: Counts,
  header: RunHeader,
  sending: number,
): PartialError | undefined {
  const missing = counts.refused + counts.unknown + header.invalid;
  if (missing === 0) return undefined;
  const flags = [...againFlag(sending), '--resend-unknown'].join(' ');
  const hint = `Nobody knows whether those unknown were sent. To send them again: ${flags}`;
  return new PartialError(outcomeInWords(counts, header), counts.unknown > 0 ? { hint } : {});
}

function withoutOpen({ accepted, refused, unknown }: Counts) {
  return { accepted, rejected: refused, unknown };
}

function* filtered<Value>(
  values: Iterable<Value>,
  wanted: (value: Value) => boolean,
): Generator<Value, void> {
  for (const value of values) if (wanted(value)) yield value;
}

/** The journal is read while its rows are shown. */
function* closing<Value>(values: Iterable<Value>, run: OpenRun): Generator<Value, void> {
  try {
    yield* values;
  } finally {
    run.close();
  }
}
