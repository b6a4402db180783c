import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Up to this many bytes of a message are in memory while it arrives. */
const mostKept = 256 * 1024;

/** The end of the large message that is in use. One at a time, because each takes much memory. */
let inUse: Promise<unknown> = Promise.resolve();

/** A message that has been received. */
interface Spooled {
  /** Calls `work` once with its bytes, a large one when its turn comes, and returns the result. */
  use<T>(work: (bytes: Buffer) => Promise<T>): Promise<T>;
}

/**
 * Receives a message to its end. A large one is in a file without a name, which is gone with the process, because many
 * at once would take too much memory, and in turns a slow client would keep others waiting. Rejects as the stream does,
 * or if the file cannot be written.
 */
export async function spool(stream: AsyncIterable<Buffer>): Promise<Spooled> {
  let file: FileHandle | undefined;
  let written = 0;
  let chunks: Buffer[] = [];
  let kept = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      kept += chunk.length;
      if (kept > mostKept) {
        file ??= await unnamedFile();
        await file.appendFile(Buffer.concat(chunks));
        written += kept;
        [chunks, kept] = [[], 0];
      } else if (chunks.length >= 1000) {
        // Lines that begin with a dot come one by one, and each object takes many times the memory of its line.
        chunks = [Buffer.concat(chunks)];
      }
    }
  } catch (error) {
    await file?.close();
    throw error;
  }
  const rest = Buffer.concat(chunks);
  return { use: (work) => (file === undefined ? work(rest) : inTurn(file, work)) };

  function inTurn<T>(file: FileHandle, work: (bytes: Buffer) => Promise<T>): Promise<T> {
    const used = inUse
      .then(async () => {
        const bytes = Buffer.alloc(written + rest.length);
        const { bytesRead } = await file.read(bytes, 0, written, 0);
        if (bytesRead !== written) throw new Error('its file is incomplete');
        rest.copy(bytes, written);
        return await work(bytes);
      })
      .finally(() => file.close());
    inUse = used.catch(() => {});
    return used;
  }
}

async function unnamedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `mailer-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
