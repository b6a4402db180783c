import type { MailerError } from '../../errors.ts';
import { type Column, done, list, type Page, type Result } from '../../output/result.ts';
import type { RowResult } from './row-results.ts';

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
): Generator<Page<RowResult>> {
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
