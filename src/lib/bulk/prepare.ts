import type { SendBody } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import { UsageError } from '../errors.ts';
import { type BodyWriter, createBodies } from './bodies.ts';
import { type Common, emailOfRow, recipientKey, recipientsOf } from './email-of-row.ts';
import type { InputRow, RowGroups } from './input/row.ts';
import { createJournal, type Journal, type LeftOut, type RowAddress } from './journal.ts';
import type { NewRun } from './run-store.ts';
import { createSeenAddresses } from './seen-addresses.ts';
import type { Shard } from './shard.ts';

/** What checking an input and writing it down for sending has found. */
export interface Prepared {
  readonly rows: number;
  /** To be sent by this process; other shards' are not among them. */
  readonly emails: number;
  readonly requests: number;
  readonly invalid: number;
  /** Rows whose recipients an earlier row has too. */
  readonly duplicates: number;
  /** The first rows with something to say about, in words. */
  readonly problems: readonly string[];
  readonly repeated: readonly string[];
}

export interface PrepareOptions {
  readonly rows: RowGroups;
  readonly common: Common;
  /** Whether a row whose recipients an earlier one has is left out. */
  readonly unique: boolean;
  readonly shard: Shard;
  /** Paths of the files to make. */
  readonly files: Pick<NewRun, 'journal' | 'bodies' | 'addresses'>;
  readonly signal: AbortSignal;
  /** Told of the number of rows, now and then. */
  readonly report: (rows: number) => void;
}

/** Bytes of a request at most, so that large attachments do not make requests nobody takes. */
const largestRequest = 8 * 1024 * 1024;
/** Problems that are told one by one. */
const shownProblems = 10;
/**
 * Chunks in one transaction, or so many times rows left out: nothing of them is needed before all are
 * there. More would save no time, and be in memory for longer.
 */
const chunksTogether = 20;
const rowsLikeChunk = 10;

/**
 * Checks every row of an input and writes the emails down, in chunks, ready to be sent. Nothing is
 * sent here. The result does not depend on anything but the input and the options, so that
 * processes on several machines agree on the chunks.
 */
export async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { files } = options;
  const journal = createJournal(files.journal);
  const bodies = createBodies(files.bodies);
  const seen = createSeenAddresses(files.addresses);
  try {
    return await prepareInto(journal, bodies, seen, options);
  } finally {
    seen.close();
    bodies.close();
    journal.close();
  }
}

async function prepareInto(
  journal: Journal,
  bodies: BodyWriter,
  seen: ReturnType<typeof createSeenAddresses>,
  options: PrepareOptions,
): Promise<Prepared> {
  const { common, unique, shard, signal } = options;
  const problems: string[] = [];
  const repeated: string[] = [];
  let rows = 0;
  let invalid = 0;
  let duplicates = 0;
  const chunks = createChunks(journal, bodies, shard);
  const leaveOut = (row: LeftOut) => {
    // Every shard reads all rows; one of them tells.
    if (shard.index === 1) chunks.leaveOut(row);
  };
  const take = async (row: InputRow) => {
    let email: SendBody;
    let json: string;
    try {
      if ('problem' in row) throw new UsageError(row.problem);
      ({ email, json } = await emailOfRow(row, common));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      invalid++;
      const problem = error.message.replaceAll('\n', '; ');
      if (problems.length < shownProblems) problems.push(`row ${row.number}: ${problem}`);
      leaveOut({ row: row.number, address: addressIn(row), reason: 'invalid', problem });
      return;
    }
    const address = recipientsOf(email);
    const earlier = seen.earlier(recipientKey(email), row.number);
    if (earlier !== undefined) {
      duplicates++;
      const problem = `${address} is in row ${earlier} too`;
      if (repeated.length < shownProblems) repeated.push(`row ${row.number}: ${problem}`);
      if (unique) {
        leaveOut({ row: row.number, address, reason: 'duplicate', problem });
        return;
      }
    }
    chunks.add([row.number, address], json);
  };
  for await (const group of options.rows) {
    for (const row of group) {
      rows = row.number;
      if (rows % 1000 === 0) {
        signal.throwIfAborted();
        options.report(rows);
      }
      await take(row);
    }
  }
  const { emails, requests } = chunks.end();
  return { rows, emails, requests, invalid, duplicates, problems, repeated };
}

/** Collects emails into chunks, and writes those of this shard. */
function createChunks(journal: Journal, bodies: BodyWriter, shard: Shard) {
  let number = 0;
  let rows: RowAddress[] = [];
  const body = createBody();
  let emails = 0;
  let requests = 0;
  let waiting: (() => void)[] = [];
  /** In chunks. */
  let size = 0;
  const write = () => {
    const ready = waiting;
    waiting = [];
    size = 0;
    journal.together(() => {
      for (const one of ready) one();
    });
  };
  const later = (work: () => void, ofIt: number) => {
    waiting.push(work);
    size += ofIt;
    if (size >= chunksTogether) write();
  };
  const finish = () => {
    if (rows.length === 0) return;
    number++;
    if (shard.takes(number)) {
      const chunk = { number, rows, ...bodies.add(body.end()) };
      later(() => journal.addChunk(chunk), 1);
      emails += rows.length;
      requests++;
    } else body.end();
    rows = [];
  };
  return {
    add(row: RowAddress, email: string) {
      if (rows.length > 0 && !body.hasRoom(email)) finish();
      rows.push(row);
      body.add(email);
      if (rows.length === limits.emailsPerBatch) finish();
    },
    leaveOut: (row: LeftOut) => later(() => journal.addLeftOut(row), 1 / rowsLikeChunk),
    end() {
      finish();
      write();
      return { emails, requests };
    },
  };
}

/** Makes one JSON array after the other, in UTF-8, in a buffer that grows as it has to. */
function createBody() {
  let buffer = Buffer.allocUnsafe(256 * 1024);
  let bytes = 0;
  // A UTF-16 unit becomes three bytes at most.
  const mostWith = (value: string) => bytes + 3 * value.length + 2;
  return {
    add(value: string) {
      if (mostWith(value) > buffer.length) {
        const larger = Buffer.allocUnsafe(2 * mostWith(value));
        buffer.copy(larger, 0, 0, bytes);
        buffer = larger;
      }
      bytes += buffer.write(bytes === 0 ? '[' : ',', bytes);
      bytes += buffer.write(value, bytes);
    },
    /** Whether it stays within what a request may have with another value. */
    hasRoom(value: string): boolean {
      if (mostWith(value) <= largestRequest) return true;
      return bytes + Buffer.byteLength(value) + 2 <= largestRequest;
    },
    /** The bytes of the array; they stand there until the next one begins. */
    end(): Uint8Array {
      const array = buffer.subarray(0, bytes + buffer.write(']', bytes));
      bytes = 0;
      return array;
    },
  };
}

function addressIn(row: InputRow): string {
  if ('problem' in row) return '';
  const { to } = row.fields;
  return typeof to === 'string' ? to : Array.isArray(to) ? to.join(', ') : '';
}
