import {
  closeSync,
  constants as fileConstants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isFileError } from '../../files/file-errors.ts';
import { openRegular } from '../../files/regular-file.ts';
import { JournalError } from './journal-error.ts';

/**
 * The request bodies of a run, one after the other in one file, compressed. They are kept, and not
 * made anew from the input, because a repetition under an idempotency key must be the same to the
 * byte: a template may use the time of day.
 */
export interface BodyWriter {
  /** Adds the JSON of one chunk, in UTF-8, and tells where it stands. */
  add(json: Uint8Array): { readonly position: number; readonly length: number };
  /** Safe on disk once this returns. */
  close(): void;
}

export interface BodyReader {
  /** The JSON at a position, in UTF-8. Throws a `JournalError` for one that is damaged. */
  read(at: { readonly position: number; readonly length: number }): Buffer;
  close(): void;
}

/**
 * What is damaged is to be found out, and not to be sent. Emails of one template are alike, so that
 * the least effort and a small window do. All of this takes less time than handing it to a thread.
 */
const params = {
  [constants.ZSTD_c_checksumFlag]: 1,
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 17,
};
/** Bytes before each, for how many it has uncompressed. */
const sizeBytes = 4;
/** What zlib makes in one piece, at least and, so that a damaged size does no harm, at most. */
const smallestPiece = 64;
const largestPiece = 16 * 1024 * 1024;

/** Makes the file, private to its owner. */
export function createBodies(path: string): BodyWriter {
  const file = openSync(path, 'wx', 0o600);
  let position = 0;
  return {
    add(json) {
      const size = Buffer.alloc(sizeBytes);
      size.writeUInt32LE(json.byteLength);
      const compressed = zstdCompressSync(json, { params });
      const at = { position, length: sizeBytes + compressed.byteLength };
      writeAll(file, Buffer.concat([size, compressed]));
      position += at.length;
      return at;
    },
    close() {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** Opens the file, of `size` bytes, for reading. Throws a `JournalError` for one that is not whole. */
export function openBodies(path: string, size: number): BodyReader {
  const file = open(path);
  if (fstatSync(file).size < size) {
    closeSync(file);
    throw new JournalError(path, 'is missing requests');
  }
  let room = Buffer.alloc(0);
  return {
    read({ position, length }) {
      if (room.length < length) room = Buffer.allocUnsafe(length);
      const found = readSync(file, room, 0, length, position);
      try {
        return decompress(room.subarray(0, found));
      } catch (error) {
        throw new JournalError(path, 'has a damaged request', error);
      }
    },
    close: () => closeSync(file),
  };
}

function decompress(compressed: Buffer): Buffer {
  // One piece, and no copies of it. A full one would have zlib look for more: one byte to spare.
  const size = compressed.readUInt32LE() + 1;
  const chunkSize = Math.min(Math.max(size, smallestPiece), largestPiece);
  return zstdDecompressSync(compressed.subarray(sizeBytes), { chunkSize });
}

function open(path: string): number {
  try {
    return openRegular(path, fileConstants.O_RDONLY);
  } catch (error) {
    if (isFileError(error) && error.code === 'ENOENT') {
      throw new JournalError(path, 'is missing all requests', error);
    }
    throw error;
  }
}

/** One call may write less than all, as on a disk that is nearly full. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.byteLength; ) {
    written += writeSync(file, bytes, written);
  }
}
