import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { maxReplyBytes, TransportError, tooLarge } from '../../../base/system/wire.ts';

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;

const inflate: Decoder = promisify(zlib.inflate);
const inflateRaw: Decoder = promisify(zlib.inflateRaw);
const gunzip: Decoder = promisify(zlib.gunzip);

/** The codings of RFC 9110, section 8.4.1, and newer ones. */
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // Many servers leave out the zlib wrapper that the RFC requires. Its first byte ends in 8.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflate(bytes, options) : inflateRaw(bytes, options),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
};

/**
 * Decodes a response's body by its `Content-Encoding`, which only a proxy adds. Throws a
 * `TransportError` if the encoding is unknown, or the body damaged or too large; on an abort, the
 * reason of `signal`.
 */
export async function decodeContent(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const encodings = (contentEncoding ?? '').toLowerCase().split(',');
  let decoded = bytes;
  for (const encoding of encodings.map((one) => one.trim()).reverse()) {
    signal.throwIfAborted();
    // A response without a body may name an encoding, too.
    if (encoding === '' || encoding === 'identity' || decoded.byteLength === 0) continue;
    decoded = await decode(decoded, encoding);
  }
  return decoded;
}

async function decode(bytes: Uint8Array, encoding: string): Promise<Uint8Array> {
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decoder === undefined) {
    throw new TransportError(
      `The response has the Content-Encoding ${JSON.stringify(encoding)}, which mailer cannot read.`,
      { unsent: false, unreadable: true },
    );
  }
  try {
    return await decoder(bytes, { maxOutputLength: maxReplyBytes });
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(error);
    }
    throw new TransportError(`The response is damaged: it cannot be read as ${encoding}.`, {
      unsent: false,
      cause: error,
    });
  }
}
