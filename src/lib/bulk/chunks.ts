import { limits } from '../../api/limits.ts';
import type { BodyWriter } from './bodies.ts';
import type { Journal, LeftOut, RowAddress } from './journal.ts';
import type { Shard } from './shard.ts';

/** Bytes of a request at most, so that large attachments do not make requests nobody takes. */
const largestRequest = 8 * 1024 * 1024;
/**
 * Chunks in one transaction, or so many times rows left out: nothing of them is needed before all are
 * there. More would save no time, and be in memory for longer.
 */
const chunksTogether = 20;
const rowsLikeChunk = 10;

/** Collects emails into chunks, and writes those of this shard. */
export function createChunks(journal: Journal, bodies: BodyWriter, shard: Shard) {
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

const bracket = 0x5b;
const comma = 0x2c;

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
      buffer[bytes] = bytes === 0 ? bracket : comma;
      bytes += 1 + buffer.write(value, bytes + 1);
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
