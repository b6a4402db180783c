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
    const packed = method === 'gzip' ? withoutLastBreak(content) : content;
    try {
      const bytes = atOnce(packed, { maxOutputLength: mostAtOnce.unpacked });
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

/**
 * Without the line break that some receivers put after gzip, which zlib takes for a damaged member. The last byte of
 * gzip is 0 as long as the content has less than 16 MiB.
 */
function withoutLastBreak(gzip: Buffer): Buffer {
  const breaks = /\0(\r?\n)+$/.exec(gzip.subarray(-16).toString('latin1'));
  return breaks === null ? gzip : gzip.subarray(0, gzip.length + 1 - breaks[0].length);
}
