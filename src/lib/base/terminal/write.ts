import { unlessAborted } from '../system/abort.ts';
import type { Output } from '../system/system.ts';

/** Characters that are written at once: a stream keeps the bytes of everything it gets. */
const atOnce = 1024 * 1024;

/**
 * Writes text and waits until it is taken, so that memory stays flat when the reader is slow, or has
 * left. A file takes it at once; signals still get their turn.
 */
export async function write(stream: Output, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  for (let start = 0; start < text.length; ) {
    const isHalved = /[\ud800-\udbff]/.test(text.charAt(start + atOnce - 1));
    const end = start + atOnce - (isHalved ? 1 : 0);
    await writePiece(stream, text.slice(start, end), signal);
    start = end;
  }
}

async function writePiece(stream: Output, text: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  stream.write(text, (error) => (error ? reject(error) : setImmediate(resolve)));
  await unlessAborted(signal, promise);
}
