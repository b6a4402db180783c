import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * The checksum detects damage before sending. Emails of one template are alike, so the lowest level is
 * enough.
 */
const params = {
  [constants.ZSTD_c_checksumFlag]: 1,
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 17,
};
/** The smallest output buffer of zlib, and the largest one here, so that a damaged size does no harm. */
const smallestPiece = 64;
const largestPiece = 16 * 1024 * 1024;

/** Compresses the body of a request, as the journal keeps it. */
export function compress(body: Uint8Array): Uint8Array {
  return zstdCompressSync(body, { params });
}

/** The body, which has `size` bytes. Throws if it is damaged. */
export function decompress(compressed: Uint8Array, size: number): Buffer {
  // One output buffer, so that nothing is copied. zlib adds another when it is full: one byte to spare.
  const chunkSize = Math.min(Math.max(size + 1, smallestPiece), largestPiece);
  return zstdDecompressSync(compressed, { chunkSize });
}
