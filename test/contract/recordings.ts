import { readFileSync } from 'node:fs';

/** A server's response: media type, and the body as JSON or else as text. */
export interface RecordedReply {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

/**
 * One request to two live servers of this API, the original one and a fork of it, and their
 * responses. Ids, times, keys and messages are masked as `<id>` and the like; lists are cut to two
 * entries.
 */
export interface Recording {
  /** Its place in the order of sending. */
  readonly n: number;
  readonly name: string;
  readonly method: string;
  /**
   * `$E` is an email just sent, `$S` a scheduled one, `$C` a draft, `$B` a book, `$K` its contact, `$T` a template,
   * `$G` a segment, `$D` a domain, `$B2` another book, and in bodies `$F` an address at a domain of the account.
   */
  readonly path: string;
  /** Unusual headers only; an empty object was left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The condition of the segment `$G`, if it is another one. */
  readonly condition: unknown;
  /** The body as it was sent, if there was one. */
  readonly text: string | undefined;
  readonly original: RecordedReply;
  readonly fork: RecordedReply;
}

/** A line of the file; `both` if the servers agree. */
interface Line {
  n: number;
  name: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  condition?: unknown;
  body?: unknown;
  text?: string;
  both?: RecordedReply;
  original?: RecordedReply;
  fork?: RecordedReply;
}

/** An email that both servers accept. */
export const usualEmail = { to: 'a@example.org', from: 'hi@example.com', subject: 's', text: 't' };

/** Bodies that the file only describes. */
const tooMany: Readonly<Record<string, unknown>> = {
  '<101 of the usual email>': Array.from({ length: 101 }, () => usualEmail),
  '<1001 contacts {"email":"zN@fid.example.org"}>': Array.from({ length: 1001 }, (_, index) => ({
    email: `z${index}@fid.example.org`,
  })),
};

/** The recordings of each file, in order. */
export const recordings = {
  /** About everything. */
  first: recordingsIn('replies.jsonl'),
  /** Of newer versions of both servers, mostly about what the specification leaves out. */
  second: recordingsIn('replies-2.jsonl'),
  /** Of these, too: odd bodies, limits, names twice and wrong types. */
  third: recordingsIn('replies-3.jsonl'),
};

function recordingsIn(file: string): readonly Recording[] {
  return readFileSync(new URL(`recordings/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(recordingOf);
}

function recordingOf(text: string): Recording {
  // The file is written in this shape; a line with another one fails below.
  const line = JSON.parse(text) as Line;
  const { n, name, method, path, headers = {}, condition } = line;
  const { both, original = both, fork = both } = line;
  if (original === undefined || fork === undefined) throw new Error(`${name} has no reply`);
  return { n, name, method, path, headers, condition, text: textOf(line), original, fork };
}

function textOf({ text, body }: Line): string | undefined {
  if (body === undefined) return text;
  return JSON.stringify(tooMany[String(body)] ?? body);
}
