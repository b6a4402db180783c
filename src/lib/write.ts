import { once } from 'node:events';
import type { OutputStream } from './system.ts';

/** Writes text and waits while the reader is slower than we are, so that memory stays flat. */
export async function write(
  stream: OutputStream,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (text === '' || stream.write(text)) return;
  await once(stream, 'drain', { signal });
}
