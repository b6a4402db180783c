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
  /** The emails as JSON. */
  readonly emails: string[];
  /** Of these in UTF-8, each with the bracket or comma before it. */
  bytes: number;
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
  const start = (): OpenChunk => ({
    ...{ number: ++number, rows: [], emails: [], bytes: 0, recipients: 0 },
  });
  const finish = ({ number, rows, emails, bytes, recipients }: OpenChunk, alone: boolean) => {
    openBytes -= bytes;
    if (shard.takes(number)) {
      const body = Buffer.from(`[${emails.join()}]`);
      write(() => journal.addChunk({ number, rows, alone, body }), 1);
      made.emails += rows.length;
      made.requests++;
      made.recipientsOfShard += recipients;
      if (alone) made.alone++;
    }
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
      const bytes = 1 + Buffer.byteLength(email);
      let chunk = alone ? undefined : open.get(templateId);
      if (chunk !== undefined && chunk.bytes + bytes + 1 > largestRequest) {
        finishOpen(templateId, chunk);
        chunk = undefined;
      }
      chunk ??= start();
      chunk.rows.push(row);
      chunk.emails.push(email);
      chunk.bytes += bytes;
      chunk.recipients += recipients;
      openBytes += bytes;
      if (alone) {
        finish(chunk, true);
        return;
      }
      open.delete(templateId);
      open.set(templateId, chunk);
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
