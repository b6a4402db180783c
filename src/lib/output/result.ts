import type { MailerError } from '../errors.ts';
import type { WireReply } from '../system/wire.ts';
import { visible } from '../text/visible.ts';
import type { CellStyle } from './cell-style.ts';
import type { Format } from './format.ts';

/** What a command returns: data, how to show it, and the failure that it ends with afterwards, if any. */
export type Result =
  | ListResult
  | RecordResult
  | DoneResult
  | TextResult
  | StreamResult
  | BodyResult;

/** A point in time in a cell: relative and local on a terminal, ISO 8601 otherwise. */
export interface Time {
  readonly kind: 'time';
  readonly iso: string;
  /** Whether a person needs the seconds: several things happen within one minute. */
  readonly seconds: boolean;
}

/** A status in a cell: coloured on a terminal by what it means. */
interface Status {
  readonly kind: 'status';
  readonly word: string;
}

/** A text to be read: beside a label, its lines break between words. Other texts may be copied. */
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

/** A cell on a line of its own, after its label. */
export type LabelledCell = readonly [label: string, cell: Cell];

/** A cell for a point in time, ISO 8601; empty for null. */
export function time(
  iso: string | null | undefined,
  { seconds = false }: { seconds?: boolean } = {},
): Time | undefined {
  return iso === null || iso === undefined ? undefined : { kind: 'time', iso, seconds };
}

/** A cell for a text to be read. */
export function prose(text: string): Prose {
  return { kind: 'prose', text };
}

/** A cell for a status; empty for null. */
export function status(word: string | null | undefined): Status | undefined {
  return word === null || word === undefined ? undefined : { kind: 'status', word };
}

/**
 * A column of a table. `field` is the path of its value in the reply, and its name in pipes and CSV; `header`
 * is its title on a terminal, by which `--fields` knows it too.
 */
export interface Column<Row> {
  readonly field: string;
  readonly header: string;
  readonly cell: (row: Row) => Cell;
  /** Whether this column gives up width first when the terminal is narrow. */
  readonly flexible?: boolean;
  /** Whether a long text takes several lines on a terminal, instead of being cut. */
  readonly folds?: boolean;
  /** Whether no field of the reply holds it, so that CSV takes the cell. */
  readonly computed?: boolean;
  /** Whether the cell puts the field's value in words, for people: the title is then no name for it. */
  readonly inWords?: boolean;
  /** On a terminal, it is there only if this is true of a row of the first page. */
  readonly onlyFor?: (row: Row) => boolean;
  /** Left out of a table on a terminal, because `details` shows it in full. */
  readonly inDetails?: boolean;
}

/** One page of a list: the service's reply, and the rows in it. */
export interface ListPage<Row> {
  readonly reply: unknown;
  readonly rows: readonly Row[];
}

export interface List<Row> {
  readonly kind: 'list';
  readonly pages: AsyncIterable<ListPage<Row>> | Iterable<ListPage<Row>>;
  /** Where the rows stand in the reply: the name of a property, or nothing when it is the array. */
  readonly rowsIn: string | undefined;
  readonly columns: readonly Column<Row>[];
  readonly id: (row: Row) => string;
  /** Whether there may be more than one page, to be joined into one list. */
  readonly joinPages?: boolean;
  /** On a terminal, each row as lines of header and value that are never cut, to be copied. */
  readonly stacked?: boolean;
  /** On a terminal, each row as a line instead of a table; it may have no control characters. */
  readonly line?: (row: Row, style: CellStyle) => string;
  /** What is said below a table on a terminal of one of its rows, never cut. */
  readonly details?: (
    row: Row,
  ) => { readonly title: string; readonly lines: readonly LabelledCell[] } | undefined;
  /** Lines above the rows of a page on a terminal, at most `width` columns wide. */
  readonly above?: (
    rows: readonly Row[],
    style: CellStyle,
    width: number,
  ) => Promise<readonly string[]>;
  /** Whether it is shown as JSON where a table would be, unless some of its fields are asked for. */
  readonly asJson?: boolean;
  /** The format it has, where flags and settings do not decide that alone. */
  readonly format?: Format;
  /** Takes the place of stdout. */
  readonly file?: ListFile;
  /** Whether something may have been changed: an unknown field is a warning, as no error may follow. */
  readonly afterWriting?: boolean;
  /** Said on stderr when there are no rows; where the reply tells more, made of the last page. */
  readonly empty: string | ((page: ListPage<Row> | undefined) => string);
  /** Said on stderr after the last row, in one line or several: what to type for the next page. */
  readonly note?: (page: ListPage<Row>) => string | readonly string[] | undefined;
  /** Where only the rows tell it, a function that is called after the last one. */
  readonly failure?: MailerError | undefined | (() => MailerError | undefined);
  /** Ids of what was done before, said when the list cannot be shown. */
  readonly done?: readonly string[];
  /** Said instead of ids, where what was done has many. */
  readonly carriedOut?: string;
}

/** A file that a list is written to. */
interface ListFile {
  /** Writes the whole text. */
  readonly write: (pieces: Iterable<string>) => Promise<void>;
  /** Said on stderr once it is written. */
  readonly written: string;
}

/** A list whose row type has been hidden, so that lists of all kinds are one type. */
export type ListResult = List<unknown>;

/** Makes a list a result. Its columns only ever meet rows of its own pages. */
export function list<Row>(options: Omit<List<Row>, 'kind'>): ListResult {
  // The row type is used only inside, between `pages` and `columns` of this one object.
  return { kind: 'list', ...options } as unknown as ListResult;
}

/** A titled table below a record: the history of an email, the DNS records of a domain. */
export interface Section<Row> {
  readonly title: string;
  /** Where the rows stand in the reply. */
  readonly field: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly empty: string;
  /** On a terminal, each row as lines of header and value that are never cut, to be copied. */
  readonly stacked?: boolean;
}

/** Makes a section. Its columns only ever meet its own rows. */
export function section<Row>(options: Section<Row>): Section<unknown> {
  // As with lists.
  return options as unknown as Section<unknown>;
}

/** One thing in full. */
export interface RecordResult {
  readonly kind: 'record';
  readonly reply: unknown;
  /** `field` and `label` are as `field` and `header` of a column. What the reply has not is left out. */
  readonly rows: readonly (readonly [field: string, label: string, cell: Cell])[];
  readonly sections?: readonly Section<unknown>[];
  readonly quiet: string;
  /** Said on stderr below it, in one line or several. */
  readonly note?: string | readonly string[];
  /** Ids of what was done before, said when the record cannot be shown. */
  readonly done?: readonly string[];
  readonly failure?: MailerError | undefined;
}

/** Makes one thing in full a result. */
export function record(options: Omit<RecordResult, 'kind'>): RecordResult {
  return { kind: 'record', ...options };
}

/** Something was done: ids to stdout, a sentence to stderr. */
interface DoneResult {
  readonly kind: 'done';
  readonly reply: unknown;
  readonly ids: readonly string[];
  /** Said unless there is a failure, which says it better. */
  readonly message: string;
  readonly failure?: MailerError | undefined;
}

/** Makes something that was done a result. */
export function done(options: Omit<DoneResult, 'kind'>): DoneResult {
  return { kind: 'done', ...options };
}

/** What was done, for those who cannot be shown the result; undefined if nothing. */
export function carriedOut(result: Result): string | undefined {
  if (result.kind === 'list' && result.carriedOut !== undefined) return result.carriedOut;
  const ids = result.kind === 'done' ? result.ids : 'done' in result ? (result.done ?? []) : [];
  return ids.length === 0
    ? undefined
    : `The command was carried out: ${ids.map(visible).join(', ')}`;
}

/** What a command ends with whose result has been shown; undefined when all is well. */
export function failureOf({ failure }: Result): MailerError | undefined {
  return typeof failure === 'function' ? failure() : failure;
}

/** Words for stdout as they are, such as a path. */
interface TextResult {
  readonly kind: 'text';
  readonly reply: unknown;
  readonly text: string;
  readonly quiet?: string;
  /** Whether it is printed as it is whatever the format: it is to be pasted, or read by a program. */
  readonly verbatim?: boolean;
  /** As in a list. */
  readonly afterWriting?: boolean;
  /** What the command does next once its result is shown: serving, for one. */
  readonly afterwards?: () => Promise<void>;
  readonly failure?: MailerError | undefined;
}

/** Makes words a result. */
export function textResult(options: Omit<TextResult, 'kind'>): TextResult {
  return { kind: 'text', ...options };
}

/** A document that is made while it is printed, the same whatever the format. */
interface StreamResult {
  readonly kind: 'stream';
  readonly pieces: Iterable<string>;
  readonly failure?: undefined;
}

/** Makes a document that is made while it is printed a result. */
export function stream(pieces: Iterable<string>): StreamResult {
  return { kind: 'stream', pieces };
}

/** The body of a response as it came, whatever it is. */
export interface BodyResult {
  readonly kind: 'body';
  readonly answer: WireReply;
  /** Whether its status and headers are shown too. */
  readonly include: boolean;
  /** What the command ends with when the response is a rejection. */
  readonly failure?: MailerError | undefined;
}

/** Makes the body of a response a result. */
export function body(options: Omit<BodyResult, 'kind'>): BodyResult {
  return { kind: 'body', ...options };
}

/** The lines of a note. A line break within one of them is none of ours. */
export function linesOf(note: string | readonly string[]): readonly string[] {
  return typeof note === 'string' ? [note] : note;
}
