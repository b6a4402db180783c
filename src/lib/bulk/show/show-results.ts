import type { Context } from '../../command/context.ts';
import { type MailerError, PartialError } from '../../errors.ts';
import { type Column, done, type ListPage, list, type Result } from '../../output/result.ts';
import type { Counts } from '../journal/counts.ts';
import type { RunHeader } from '../journal/header.ts';
import { resumeCommand } from '../journal/named-run.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { type RowResult, rowResults } from './row-results.ts';
import { outcomeInWords } from './summary.ts';

/** Rows that a person reads on a terminal; of more, those with a problem. */
const mostOnTerminal = 20;

/** What became of the rows of a run. The run is closed once they have been shown. */
export function showOutcome(
  context: Context,
  run: OpenRun,
  header: RunHeader,
  directory: string,
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
    failure: failureOfRun(context, counts, header, directory),
  });
}

/** What a run ends with of which not every row was accepted. */
export function failureOfRun(
  context: Context,
  counts: Counts,
  header: RunHeader,
  directory: string,
): PartialError | undefined {
  const missing = counts.refused + counts.unknown + header.invalid;
  if (missing === 0) return undefined;
  const resend = resumeCommand(context, directory, '--resend-unknown');
  const hint = `Nobody knows whether those unknown were sent. To send them again: ${resend}`;
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

/** Rows in one page of output. */
const rowsPerPage = 500;

export interface ShowOptions {
  /** Read while they are shown, once. */
  readonly rows: Iterator<RowResult, void>;
  /** What `--json` says beside the rows. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** The same in words. */
  readonly message: string;
  /** The same, where not every row was accepted. */
  readonly failure: MailerError | undefined;
}

/** What became of the rows of a run, as a list; as a sentence when there are none to show. */
export function showResults({ rows, summary, message, failure }: ShowOptions): Result {
  const first = rows.next();
  if (first.done === true) return done({ reply: summary, ids: [], message, failure });
  return list<RowResult>({
    pages: pagesOf(first.value, rows, summary),
    rowsIn: 'data',
    joinPages: true,
    columns,
    id: ({ emailId }) => emailId ?? '',
    empty: '',
    note: () => (failure === undefined ? message : []),
    failure,
  });
}

const columns: readonly Column<RowResult>[] = [
  { field: 'row', header: 'Row', cell: ({ row }) => row },
  { field: 'to', header: 'To', cell: ({ to }) => to, flexible: true },
  { field: 'emailId', header: 'Id', cell: ({ emailId }) => emailId },
  { field: 'error.code', header: 'Problem', cell: ({ error }) => error?.code },
  {
    field: 'error.message',
    header: 'Message',
    cell: ({ error }) => error?.message,
    flexible: true,
  },
];

function* pagesOf(
  first: RowResult,
  rest: Iterator<RowResult, void>,
  summary: ShowOptions['summary'],
): Generator<ListPage<RowResult>> {
  let page = [first];
  const full = () => ({ reply: { ...summary, data: page }, rows: page });
  try {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      if (page.length === rowsPerPage) {
        yield full();
        page = [];
      }
      page.push(next.value);
    }
    yield full();
  } finally {
    rest.return?.();
  }
}
