import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * The request bodies of a run, one after the other in one file, compressed. They are kept, and not
 * made anew from the input, because a repetition under an idempotency key must be the same to the
 * byte: a template may use the time of day.
 */
export interface BodyWriter {
  /** Adds the JSON text of one chunk and tells where it stands. */
  add(json: string): { readonly position: number; readonly length: number };
  /** Safe on disk once this returns. */
  close(): void;
}

export interface BodyReader {
  /** The JSON text at a position. Throws for one that is cut or damaged. */
  read(at: { readonly position: number; readonly length: number }): string;
  close(): void;
}

/** Makes the file, private to its owner. */
export function createBodies(path: string): BodyWriter {
  const file = openSync(path, 'wx', 0o600);
  let position = 0;
  return {
    add(json) {
      const compressed = zstdCompressSync(json);
      const at = { position, length: compressed.byteLength };
      writeAll(file, compressed);
      position += compressed.byteLength;
      return at;
    },
    close() {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** Opens the file for reading. */
export function openBodies(path: string): BodyReader {
  const file = openSync(path, 'r');
  return {
    read({ position, length }) {
      const compressed = Buffer.allocUnsafe(length);
      if (readSync(file, compressed, 0, length, position) !== length) {
        throw new Error(`The file of request bodies is cut: ${path}`);
      }
      return zstdDecompressSync(compressed).toString('utf8');
    },
    close: () => closeSync(file),
  };
}

/** One call may write less than all, as on a disk that is nearly full. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.byteLength; ) {
    written += writeSync(file, bytes, written);
  }
}
