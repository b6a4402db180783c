import type { MailerError } from '../../base/errors.ts';
import type { WireReply } from '../../base/system/wire.ts';
import type { CellStyle } from './cell-style.ts';
import type { Format } from './format.ts';

/** What a command returns: data, how to show it, and perhaps a failure to end with. */
export type Result =
  | ListResult
  | RecordResult
  | DoneResult
  | TextResult
  | StreamResult
  | BodyResult;

/** What a command has changed or sent, for an error that replaces or cuts its result. */
export interface CarriedOut {
  readonly ids?: readonly string[] | undefined;
  /** The name of the bulk run. */
  readonly run?: string | undefined;
  /** The outcome, as a sentence, if ids do not tell it. */
  readonly what?: string | undefined;
  /** What to do next, or more about the outcome. */
  readonly next?: string | undefined;
}

/** How a command ends, besides what it shows. */
interface Ending {
  /** What was done before; told if the result cannot be shown. */
  readonly carriedOut?: CarriedOut | undefined;
  /** The failure to end with after the result is shown. */
  readonly failure?: MailerError | undefined;
}

/** A point in time in a cell: relative and local on a terminal, otherwise ISO 8601. */
export interface Time {
  readonly kind: 'time';
  readonly iso: string;
  /** Whether people need the seconds, because several things happen within a minute. */
  readonly seconds: boolean;
}

/** A status in a cell, coloured by its meaning on a terminal. */
interface Status {
  readonly kind: 'status';
  readonly word: string;
}

/** A text for reading. Beside a label, its lines break between words; other texts stay copyable. */
interface Prose {
  readonly kind: 'prose';
  readonly text: string;
}

export type Cell =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly string[]
  | Time
  | Status
  | Prose;

/** A cell on its own line, after its label. */
export type LabelledCell = readonly [label: string, cell: Cell];

/** A cell with a point in time in ISO 8601; empty for null. */
export function time(
  iso: string | null | undefined,
  { seconds = false }: { seconds?: boolean } = {},
): Time | undefined {
  return iso === null || iso === undefined ? undefined : { kind: 'time', iso, seconds };
}

/** A cell with a text for reading. */
export function prose(text: string): Prose {
  return { kind: 'prose', text };
}

/** A cell with a status; empty for null. */
export function status(word: string | null | undefined): Status | undefined {
  return word === null || word === undefined ? undefined : { kind: 'status', word };
}

/**
 * A column of a table. `field` is the path of its value in the reply, and its name in pipes and
 * CSV. `header` is its title on a terminal, which `--fields` accepts, too.
 */
export interface Column<Row> {
  readonly field: string;
  readonly header: string;
  /** Default: the value of the field. */
  readonly cell?: (row: Row) => Cell;
  /** Whether this column becomes narrower first if the terminal is narrow. */
  readonly flexible?: boolean;
  /** Whether a long text wraps on a terminal instead of being cut. */
  readonly folds?: boolean;
  /** Whether no field of the reply holds it. CSV then has the cell. */
  readonly computed?: boolean;
  /** Whether the cell is the field's value in words. Then `--fields` does not accept the title. */
  readonly inWords?: boolean;
  /** On a terminal, the column is shown only if this is true for a row of the first page. */
  readonly onlyFor?: (row: Row) => boolean;
  /** Whether a table on a terminal leaves it out because `details` shows it in full. */
  readonly inDetails?: boolean;
}

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** What a JSON document has besides the rows: the reply, whose own rows are not shown. */
  readonly rest?: unknown;
}

export interface List<Row> {
  readonly kind: 'list';
  readonly pages: AsyncIterable<ListPage<Row>> | Iterable<ListPage<Row>>;
  /** The property of a JSON document that has the rows; if absent, the document is their array. */
  readonly rowsIn?: string | undefined;
  readonly columns: readonly Column<Row>[];
  readonly id: (row: Row) => string | undefined;
  /** Whether there may be several pages, to join into one list. */
  readonly joinPages?: boolean;
  /** What a joined JSON document has after its rows, in place of the first page's `rest`; called after the last row. */
  readonly afterRows?: () => object;
  /** Whether a terminal shows each row as lines of header and value, never cut, to be copied. */
  readonly stacked?: boolean;
  /**
   * On a terminal of `width` columns, the line for a row, in place of a table. It must not contain control characters.
   */
  readonly line?: (row: Row, style: CellStyle, width: number) => string;
  /** On a terminal, labels and values below the table about one of its rows, never cut. */
  readonly details?: (
    row: Row,
  ) => { readonly title: string; readonly lines: readonly LabelledCell[] } | undefined;
  /** On a terminal, lines above a page's rows, at most `width` columns wide. */
  readonly above?: (
    rows: readonly Row[],
    style: CellStyle,
    width: number,
  ) => Promise<readonly string[]>;
  /** Whether each page is a table of its own, with a header and columns of its own width. */
  readonly tablePerPage?: boolean;
  /** Whether JSON replaces the table, unless some of its fields are asked for. */
  readonly asJson?: boolean;
  /** The format, if flags and settings alone do not decide it. */
  readonly format?: Format;
  /** The end of a record in CSV; CRLF if absent. */
  readonly csvEnd?: string | undefined;
  /** Replaces stdout. */
  readonly file?: ListFile;
  /**
   * Whether something may have changed. An unknown field is then a warning, because an error would
   * hide that.
   */
  readonly afterWriting?: boolean;
  /** The note on stderr if there are no rows; a function can use the last page. */
  readonly empty: string | ((page: ListPage<Row> | undefined) => string);
  /**
   * The note on stderr after the last row, one or several lines: what to type for the next page.
   */
  readonly note?: (page: ListPage<Row>) => string | readonly string[] | undefined;
  /** A function, called after the last row, if the failure depends on the rows. */
  readonly failure?: MailerError | undefined | (() => MailerError | undefined);
  /** What was done before; told if the list cannot be shown. */
  readonly carriedOut?: CarriedOut | undefined;
}

/** A file to write a list to. */
interface ListFile {
  /** Writes the whole text. */
  readonly write: (pieces: Iterable<string>) => Promise<void>;
  /** The note on stderr once it is written. */
  readonly written: string;
}

/** A list with its row type hidden, so that all lists have one type. */
export type ListResult = List<unknown>;

/** Makes a list a result. Its columns only ever get rows of its own pages. */
export function list<Row>(options: Omit<List<Row>, 'kind'>): ListResult {
  // The row type matters only between `pages` and `columns` of this object.
  return { kind: 'list', ...options } as unknown as ListResult;
}

/** A titled table below a record: the history of an email, the DNS records of a domain. */
export interface Section<Row> {
  readonly title: string;
  /** Where the rows are in the reply. */
  readonly field: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly empty: string;
  /** Whether a terminal shows each row as lines of header and value, never cut, to be copied. */
  readonly stacked?: boolean;
}

/** Makes a section. Its columns only ever get its own rows. */
export function section<Row>(options: Section<Row>): Section<unknown> {
  // As with lists.
  return options as unknown as Section<unknown>;
}

/** One thing in detail. */
export interface RecordResult extends Ending {
  readonly kind: 'record';
  readonly reply: unknown;
  /**
   * `field` and `label` are like a column's `field` and `header`. Fields missing from the reply are
   * left out.
   */
  readonly rows: readonly (readonly [field: string, label: string, cell: Cell])[];
  readonly sections?: readonly Section<unknown>[];
  readonly quiet: string;
  /** The note on stderr below it, one or several lines. */
  readonly note?: string | readonly string[];
}

/** Makes one thing in detail a result. */
export function record(options: Omit<RecordResult, 'kind'>): RecordResult {
  return { kind: 'record', ...options };
}

/** Something was done: prints ids to stdout, and a sentence to stderr. */
interface DoneResult extends Ending {
  readonly kind: 'done';
  readonly reply: unknown;
  readonly ids: readonly string[];
  /** Shown unless there is a failure, which tells more. */
  readonly message: string | readonly string[];
  /** Whether nothing had to be done. */
  readonly isNothing?: boolean;
}

/** Makes a completed action a result. */
export function done(options: Omit<DoneResult, 'kind'>): DoneResult {
  return { kind: 'done', ...options };
}

/** The failure to end with after the result is shown; undefined if there is none. */
export function failureOf({ failure }: Result): MailerError | undefined {
  return typeof failure === 'function' ? failure() : failure;
}

/** Text for stdout, unchanged, such as a path. */
interface TextResult extends Ending {
  readonly kind: 'text';
  readonly reply: unknown;
  readonly text: string;
  readonly quiet?: string;
  /** Whether every format prints it unchanged, because it is for pasting or for a program. */
  readonly verbatim?: boolean;
  /** As in a list. */
  readonly afterWriting?: boolean;
  /**
   * What the command does after its result is shown, such as serving, until the signal aborts; then it ends with the
   * signal's reason. If the result cannot be shown, the signal has aborted already.
   */
  readonly afterwards?: (signal: AbortSignal) => Promise<void>;
}

/** Makes a text a result. */
export function textResult(options: Omit<TextResult, 'kind'>): TextResult {
  return { kind: 'text', ...options };
}

/** A document that is generated while it is printed, the same in every format. */
interface StreamResult extends Ending {
  readonly kind: 'stream';
  readonly pieces: Iterable<string>;
}

/** Makes such a document a result. */
export function stream(pieces: Iterable<string>): StreamResult {
  return { kind: 'stream', pieces };
}

/** The body of a response as received. */
export interface BodyResult extends Ending {
  readonly kind: 'body';
  readonly answer: WireReply;
  /** Whether to show status and headers, too. */
  readonly include: boolean;
}

/** Makes the body of a response a result. */
export function body(options: Omit<BodyResult, 'kind'>): BodyResult {
  return { kind: 'body', ...options };
}

/** The lines of a note. A line break within one of them is not ours. */
export function linesOf(note: string | readonly string[]): readonly string[] {
  return typeof note === 'string' ? [note] : note;
}
