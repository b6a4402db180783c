import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflateRaw, gunzipSync, inflateRawSync } from 'node:zlib';
import { type Allowance, mostAtOnce, type ReportContent, take, within } from './bytes.ts';

const methods = {
  gzip: [gunzipSync, createGunzip],
  deflate: [inflateRawSync, createInflateRaw],
} as const;

/**
 * The content of what is compressed. Throws a `DamagedError` if it has more bytes than allowed, and zlib's errors; as
 * pieces, it throws them later.
 */
export function unpacked(
  content: ReportContent,
  method: keyof typeof methods,
  allowance: Allowance,
): ReportContent {
  const [atOnce, create] = methods[method];
  if (Buffer.isBuffer(content) && content.length <= mostAtOnce.packed) {
    try {
      const bytes = atOnce(content, { maxOutputLength: mostAtOnce.unpacked });
      take(bytes.length, allowance);
      return bytes;
    } catch (error) {
      const isLarge = error instanceof RangeError && 'code' in error;
      if (!isLarge || error.code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    }
  }
  const stream = create();
  // Its errors reach the reader.
  pipeline(Readable.from(content, { objectMode: false }), stream).catch(() => undefined);
  return within(stream, allowance);
}
