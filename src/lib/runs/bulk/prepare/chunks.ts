import type { Journal } from '../journal/journal.ts';
import type { LeftOut, RowAddress } from '../journal/run-parts.ts';
import type { Shard } from '../journal/shard.ts';

/** The largest request, in bytes, so that large attachments do not make one that every service rejects. */
const largestRequest = 8 * 1024 * 1024;
/** Chunks in one transaction, and how many left-out rows count as one. Larger ones would save no time. */
const chunksTogether = 20;
const rowsLikeChunk = 10;
/** Limits for chunks that are filled at the same time, one per template: their number and their bytes. */
const mostOpen = 256;
const mostOpenBytes = 32 * 1024 * 1024;
/** The largest buffer, in bytes, that is kept for the next chunk while others are being filled. */
const largestSpare = 1024 * 1024;

/** Decides which emails may share a request, and counts. */
interface ChunkKey {
  /**
   * The stored template. Live servers render all emails of a request with the template of the
   * first, so a request holds emails of one template, or emails without any.
   */
  readonly templateId: string | undefined;
  /** Whether it is sent in a request of its own. */
  readonly alone: boolean;
  readonly recipients: number;
}

interface OpenChunk {
  readonly number: number;
  readonly rows: RowAddress[];
  readonly body: Body;
  recipients: number;
}

/**
 * Collects emails into chunks of `perRequest`, and writes those of this shard. Chunks are numbered by their
 * first row, so they keep the order of the input although several are filled at the same time.
 */
export function createChunks(
  journal: Journal,
  { shard, perRequest }: { readonly shard: Shard; readonly perRequest: number },
) {
  let number = 0;
  /** By template; the most recently used is last. */
  const open = new Map<string | undefined, OpenChunk>();
  let openBytes = 0;
  let spare: Body | undefined;
  const made = { emails: 0, requests: 0, alone: 0, recipientsOfShard: 0 };
  /** Of what the open transaction has, in chunks. */
  let size = 0;
  const commit = () => {
    if (size > 0) journal.commit();
    size = 0;
  };
  const write = (work: () => void, ofIt: number) => {
    if (size === 0) journal.open();
    size += ofIt;
    work();
    if (size >= chunksTogether) commit();
  };
  const start = (): OpenChunk => {
    const body = spare ?? createBody();
    spare = undefined;
    return { number: ++number, rows: [], body, recipients: 0 };
  };
  const put = (chunk: OpenChunk, row: RowAddress, email: string, recipients: number) => {
    chunk.rows.push(row);
    chunk.recipients += recipients;
    openBytes += chunk.body.add(email);
  };
  const finish = ({ number, rows, body, recipients }: OpenChunk, alone: boolean) => {
    const array = body.end();
    openBytes -= array.byteLength - 1;
    if (shard.takes(number)) {
      write(() => journal.addChunk({ number, rows, alone, body: array }), 1);
      made.emails += rows.length;
      made.requests++;
      made.recipientsOfShard += recipients;
      if (alone) made.alone++;
    }
    if (open.size === 0 || body.capacity() <= largestSpare) spare ??= body;
  };
  const finishOpen = (templateId: string | undefined, chunk: OpenChunk) => {
    open.delete(templateId);
    finish(chunk, false);
  };
  const finishOldest = () => {
    const [oldest] = open;
    if (oldest !== undefined) finishOpen(...oldest);
  };
  return {
    add(row: RowAddress, email: string, { templateId, alone, recipients }: ChunkKey) {
      if (alone) {
        const chunk = start();
        put(chunk, row, email, recipients);
        finish(chunk, true);
        return;
      }
      let chunk = open.get(templateId);
      if (chunk?.body.hasRoom(email) === false) {
        finishOpen(templateId, chunk);
        chunk = undefined;
      }
      if (chunk === undefined) {
        chunk = start();
        open.set(templateId, chunk);
      } else if (open.size > 1) {
        open.delete(templateId);
        open.set(templateId, chunk);
      }
      put(chunk, row, email, recipients);
      if (chunk.rows.length === perRequest) finishOpen(templateId, chunk);
      while (open.size > mostOpen || (open.size > 1 && openBytes > mostOpenBytes)) finishOldest();
    },
    leaveOut: (row: LeftOut) => write(() => journal.addLeftOut(row), 1 / rowsLikeChunk),
    /** Numbers of what this process is to send; `alone` counts requests of one email. */
    end() {
      while (open.size > 0) finishOldest();
      commit();
      return made;
    },
  };
}

const bracket = 0x5b;
const comma = 0x2c;

type Body = ReturnType<typeof createBody>;

/** Builds one JSON array after the other, in UTF-8, in a buffer that grows on demand. */
function createBody() {
  let buffer = Buffer.allocUnsafe(64 * 1024);
  let bytes = 0;
  // A UTF-16 unit becomes at most three bytes.
  const mostWith = (value: string) => bytes + 3 * value.length + 2;
  return {
    /** Returns the number of bytes added. */
    add(value: string): number {
      if (mostWith(value) > buffer.length) {
        const larger = Buffer.allocUnsafe(2 * mostWith(value));
        buffer.copy(larger, 0, 0, bytes);
        buffer = larger;
      }
      buffer[bytes] = bytes === 0 ? bracket : comma;
      const added = 1 + buffer.write(value, bytes + 1);
      bytes += added;
      return added;
    },
    /** Whether the request stays within the limit with another value. */
    hasRoom(value: string): boolean {
      if (bytes === 0 || mostWith(value) <= largestRequest) return true;
      return bytes + Buffer.byteLength(value) + 2 <= largestRequest;
    },
    capacity: () => buffer.length,
    /** The bytes of the array; valid until the next one begins. */
    end(): Uint8Array {
      const array = buffer.subarray(0, bytes + buffer.write(']', bytes));
      bytes = 0;
      return array;
    },
  };
}
