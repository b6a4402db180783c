import { PartialError } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import {
  type Column,
  done,
  type ListPage,
  list,
  type Result,
} from '../../../command-line/output/result.ts';
import { aboutRuns, resumeCommand, shortRunName } from '../journal/named-run.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { rowResults } from './row-results.ts';
import type { RowResult } from './run-shapes.ts';
import { outcomeInWords } from './summary.ts';

/** Rows shown to a person on a terminal, at most; of more, only those with a problem. */
const mostOnTerminal = 20;

/** Rows in one page of output. */
const rowsPerPage = 500;

/**
 * The outcome of each row of a run, as a list, or as a sentence if there are no rows to show. Closes the run
 * once they are shown. `isHeld` if the account is blocked, so that the accepted emails stay queued.
 */
export function showOutcome(context: Context, run: OpenRun, isHeld: boolean): Result {
  const { system } = context;
  const { header } = run;
  const counts = run.journal.counts();
  const format = context.format();
  const forPerson = format === 'table' && system.stdout.isTTY === true;
  const wanted = (row: RowResult) => {
    if (format === 'quiet' && context.flags.fields === undefined) return row.emailId !== undefined;
    return !forPerson || header.rows <= mostOnTerminal || row.error !== undefined;
  };
  const { accepted, refused, unknown } = counts;
  const { rows, emails } = header;
  const summary = {
    ...{ run: run.name, rows, emails, accepted, rejected: refused, unknown },
    ...(isHeld ? { accountState: 'BLOCKED' } : {}),
  };
  const message = outcomeInWords(counts, header);
  const failure = failureOfRun(context, run);
  const shown = aboutRuns(context, 'get', shortRunName(run.name));
  const pages = pagesOf(run, wanted);
  const first = pages.next();
  const next = `To show the run: ${shown}`;
  const carriedOut = { run: run.name, what: message, next };
  if (first.done === true) {
    const isNothing = rows === 0;
    return done({ reply: summary, ids: [], message, carriedOut, isNothing, failure });
  }
  return list<RowResult>({
    pages: listPages(first.value, pages, summary),
    rowsIn: 'data',
    joinPages: true,
    columns,
    id: ({ emailId }) => emailId ?? '',
    empty: '',
    note: () => (failure === undefined ? message : []),
    failure,
    carriedOut,
  });
}

/** The error that a run ends with if not every row was accepted. */
export function failureOfRun(
  context: Context,
  { name, journal, header }: OpenRun,
): PartialError | undefined {
  const counts = journal.counts();
  const skipped = header.toleratesInvalid ? 0 : header.invalid;
  const missing = counts.refused + counts.unknown + skipped;
  if (missing === 0) return undefined;
  const resend = resumeCommand(context, name, '--resend-unknown');
  const hint = `Emails whose outcome is unknown may have been sent. To send them again: ${resend}`;
  return new PartialError(outcomeInWords(counts, header), counts.unknown > 0 ? { hint } : {});
}

const columns: readonly Column<RowResult>[] = [
  { field: 'row', header: 'Row' },
  { field: 'to', header: 'To', flexible: true },
  { field: 'emailId', header: 'Id' },
  { field: 'error.code', header: 'Problem' },
  { field: 'error.message', header: 'Message', flexible: true },
];

/** The wanted rows, in pages. The journal is read while they are shown, and then closed. */
function* pagesOf(
  run: OpenRun,
  wanted: (row: RowResult) => boolean,
): Generator<RowResult[], undefined> {
  let page: RowResult[] = [];
  try {
    for (const row of rowResults(run)) {
      if (!wanted(row)) continue;
      if (page.length === rowsPerPage) {
        yield page;
        page = [];
      }
      page.push(row);
    }
    if (page.length > 0) yield page;
  } finally {
    run.close();
  }
}

function* listPages(
  first: RowResult[],
  rest: Generator<RowResult[], undefined>,
  summary: Readonly<Record<string, unknown>>,
): Generator<ListPage<RowResult>> {
  try {
    yield { rows: first, rest: summary };
    for (const rows of rest) yield { rows };
  } finally {
    rest.return(undefined);
  }
}
