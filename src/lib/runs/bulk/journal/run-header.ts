import type { Fingerprint } from '../../../people/rows/open-input.ts';
import type { Journal } from './journal.ts';
import { JournalError } from './journal-error.ts';
import type { KnownAccount } from './known-account.ts';
import type { MailedSketch } from './mailed-sketch.ts';
import type { RecordedLine } from './recorded-line.ts';
import type { RetryLink, ShapeDigests } from './run-name.ts';

/** What the journal records about a run as a whole. */
export interface RunHeader {
  /** The name of the run, the same on every machine. */
  readonly run: string;
  /** Absolute path of the input, or `-`. */
  readonly input: string;
  readonly fingerprint: Fingerprint;
  /** Where it was last sent. */
  readonly baseUrl: string;
  readonly account: KnownAccount;
  /** Who gets its emails instead of their recipients; undefined if they are not redirected. */
  readonly redirect?: string | undefined;
  /** A digest of all emails. */
  readonly digest: string;
  /** Who gets which subject; older runs have none. */
  readonly mailed?: MailedSketch | undefined;
  /** Digests of what the command line and the settings gave. */
  readonly shape: ShapeDigests;
  /** 1, or higher if everything was sent again. */
  readonly sending: number;
  /** Proves that who has the API key wrote this; see `sealed`. */
  readonly seal: string;
  /** How it was last sent. */
  readonly line: RecordedLine;
  /** The idempotency key that was given by hand. */
  readonly key: string | undefined;
  /** `3/8`, or undefined for the whole input. */
  readonly shard: string | undefined;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  readonly rows: number;
  readonly emails: number;
  readonly invalid: number;
  /** Whether the invalid rows are no failure. */
  readonly toleratesInvalid: boolean;
  /** The run whose rows this one sends again; undefined if it is no retry. */
  readonly retry?: RetryLink | undefined;
}

const name = 'run';

/** Writes it: when the run is prepared or resumed, and when another API key or URL takes over. */
export function writeHeader(journal: Journal, header: RunHeader): void {
  journal.setMeta(name, JSON.stringify(header));
}

/** Reads it; undefined if the journal has none. */
export function readHeader(journal: Journal): RunHeader | undefined {
  const json = journal.meta(name);
  if (json === undefined) return undefined;
  // Written by writeHeader of this version of the journal.
  const header = JSON.parse(json) as RunHeader;
  // The first programs of this version had the people alone.
  return Array.isArray(header.mailed)
    ? { ...header, mailed: { people: header.mailed, rows: [] } }
    : header;
}

/** Reads it. Throws a `JournalError` if the journal of the run at this path has none. */
export function requireHeader(journal: Journal, path: string): RunHeader {
  const header = readHeader(journal);
  if (header === undefined) throw new JournalError(path, 'has no header');
  return header;
}
