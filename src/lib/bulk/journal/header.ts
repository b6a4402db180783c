import type { Fingerprint } from '../input/open-input.ts';
import type { Journal } from './journal.ts';
import { JournalError } from './journal-error.ts';
import type { RecordedLine } from './recorded-line.ts';
import type { ShapeDigests } from './run-name.ts';

/** What the journal of a run says about it as a whole. */
export interface RunHeader {
  /** The name of the run, the same on every machine. */
  readonly run: string;
  /** Absolute path of the input, or `-`. */
  readonly input: string;
  readonly fingerprint: Fingerprint;
  readonly baseUrl: string;
  /** Who gets its emails in place of everybody; undefined where they are not redirected. */
  readonly redirect?: string | undefined;
  /** What `--expect` is compared with; undefined where nobody wrote it down. */
  readonly digest?: string | undefined;
  /** What the command line and the settings said; undefined where nobody wrote it down. */
  readonly shape?: ShapeDigests | undefined;
  /** 1, or higher where it was all sent once more; undefined where nobody wrote it down. */
  readonly sending?: number | undefined;
  /** What it was last sent with, as `accountFingerprint`; undefined where nobody wrote it down. */
  readonly account?: string | undefined;
  /** How it was last sent; undefined where nobody wrote it down. */
  readonly line?: RecordedLine | undefined;
  /** The idempotency key that was given by hand. */
  readonly key: string | undefined;
  /** `3/8`, or undefined for everything. */
  readonly shard: string | undefined;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  readonly rows: number;
  readonly emails: number;
  readonly requests: number;
  readonly invalid: number;
  readonly duplicates: number;
  /** What an import is about; undefined for a run of emails, whose numbers are otherwise of contacts. */
  readonly contacts?: ContactsOfRun | undefined;
}

/** What the journal of an import says besides. */
export interface ContactsOfRun {
  /** Id of the book. */
  readonly book: string;
  readonly bookName: string;
  /** The command that began it: another one does not resume it. */
  readonly purpose: 'import' | 'sync';
  /** Names of properties that become variables of the book. */
  readonly addVariables: readonly string[];
  /** Numbers of rows by what they were to the book; undefined where nobody wrote it down. */
  readonly compared?: Readonly<Record<'new' | 'changed' | 'unchanged' | 'unsubscribed', number>>;
}

const name = 'run';

/** Puts it down: when the run is prepared, resumed, and when another API key takes over. */
export function writeHeader(journal: Journal, header: RunHeader): void {
  journal.setMeta(name, JSON.stringify(header));
}

/** Reads it; undefined when the journal has none. */
export function readHeader(journal: Journal): RunHeader | undefined {
  const json = journal.meta(name);
  // Written by writeHeader of this version of the journal.
  return json === undefined ? undefined : (JSON.parse(json) as RunHeader);
}

/** Reads it. Throws a `JournalError` when the journal of the run at this path has none. */
export function requireHeader(journal: Journal, path: string): RunHeader {
  const header = readHeader(journal);
  if (header === undefined) throw new JournalError(path, 'has no header');
  return header;
}
