import {
  closeSync,
  constants as fileConstants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isFileError } from '../../files/file-errors.ts';
import { openRegular } from '../../files/regular-file.ts';
import { JournalError } from './journal-error.ts';

export type BodyWriter = ReturnType<typeof createBodies>;
export type BodyReader = ReturnType<typeof openBodies>;

/** Where the body of a chunk is in the file, in bytes. */
interface BodyPlace {
  readonly position: number;
  readonly length: number;
}

/**
 * The checksum detects damage before sending. Emails of one template are alike, so the lowest level is
 * enough.
 */
const params = {
  [constants.ZSTD_c_checksumFlag]: 1,
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 17,
};
/** Bytes before each body, which hold its uncompressed size. */
const sizeBytes = 4;
/** The smallest output buffer of zlib, and the largest one here, so that a damaged size does no harm. */
const smallestPiece = 64;
const largestPiece = 16 * 1024 * 1024;

/**
 * Creates the file of a run's request bodies, compressed, one after the other. They are kept because a
 * request that is repeated under its idempotency key must be identical, and a template may use the time of
 * day.
 */
export function createBodies(path: string) {
  const file = openSync(path, 'wx', 0o600);
  let position = 0;
  return {
    /** Adds the JSON of one chunk, in UTF-8. */
    add(json: Uint8Array): BodyPlace {
      const size = Buffer.alloc(sizeBytes);
      size.writeUInt32LE(json.byteLength);
      const compressed = zstdCompressSync(json, { params });
      const at = { position, length: sizeBytes + compressed.byteLength };
      writeFileSync(file, Buffer.concat([size, compressed]));
      position += at.length;
      return at;
    },
    /** Safe on disk once this returns. */
    close(): void {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** Opens the file, of `size` bytes, for reading. Throws a `JournalError` if it is shorter. */
export function openBodies(path: string, size: number) {
  const file = open(path);
  if (fstatSync(file).size < size) {
    closeSync(file);
    throw new JournalError(path, 'is missing requests');
  }
  let room = Buffer.alloc(0);
  return {
    /** The JSON at a place, in UTF-8. Throws a `JournalError` if it is damaged. */
    read({ position, length }: BodyPlace): Buffer {
      if (room.length < length) room = Buffer.allocUnsafe(length);
      const found = readSync(file, room, 0, length, position);
      try {
        return decompress(room.subarray(0, found));
      } catch (error) {
        throw new JournalError(path, 'has a damaged request', error);
      }
    },
    close: (): void => closeSync(file),
  };
}

function decompress(compressed: Buffer): Buffer {
  // One output buffer, so that nothing is copied. zlib adds another when it is full: one byte to spare.
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
