import { fileSize } from '../../../shared/file-size.ts';
import { withBeginning } from '../../people/rows/row.ts';
import { DamagedError } from './report.ts';

/** Bytes that arrive in pieces. */
export type Bytes = AsyncIterable<Uint8Array>;

/** The content of a file: in memory if it is small, because streams take many times longer. */
export type ReportContent = Buffer | Bytes;

/** How many bytes an archive may still unpack to, with everything in it. */
export interface Allowance {
  left: number;
}

/** The most bytes of a file that is read, or of one that is unpacked, at once. */
export const mostAtOnce = { packed: 256 * 1024, unpacked: 8 * 1024 * 1024 };
/** The most bytes that one archive may unpack to. */
export const mostUnpacked = 256 * 1024 * 1024;
/** The most bytes that are kept in memory: of a message, or of a ZIP archive. */
export const mostKept = 64 * 1024 * 1024;

/** Takes bytes from the allowance. Throws a `DamagedError` if there are too many. */
export function take(size: number, allowance: Allowance): void {
  allowance.left -= size;
  assertLeft(allowance);
}

/** Throws a `DamagedError` if an archive has unpacked to more than it may. */
export function assertLeft({ left }: Allowance): void {
  if (left >= 0) return;
  throw new DamagedError(`unpacks to more than ${fileSize(mostUnpacked)}`);
}

/** The same bytes, taken from the allowance as they arrive. */
export async function* within(bytes: Bytes, allowance: Allowance): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    take(piece.byteLength, allowance);
    yield piece;
  }
}

/** All bytes. Throws a `DamagedError` if there are too many to keep. */
export async function wholeContent(bytes: ReportContent): Promise<Buffer> {
  if (Buffer.isBuffer(bytes)) return bytes;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > mostKept) throw new DamagedError(`has more than ${fileSize(mostKept)}`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Enough to tell the kind of a file. */
const headBytes = 1024;

/** The first bytes, if there are as many, and all of them. */
export async function peek(bytes: ReportContent) {
  if (Buffer.isBuffer(bytes)) return { head: bytes, content: bytes };
  const iterator = bytes[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size < headBytes) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    pieces.push(value);
    size += value.byteLength;
  }
  const head = Buffer.concat(pieces);
  return { head, content: withBeginning<Uint8Array>(head, iterator) };
}

/** The content as pieces. */
export async function* contentPieces(content: ReportContent): AsyncGenerator<Uint8Array> {
  if (Buffer.isBuffer(content)) yield content;
  else yield* content;
}
