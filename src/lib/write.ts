import type { Output } from './system.ts';

/**
 * Writes text and waits until it has been taken, so that memory stays flat while the reader is
 * slower than we are, and nothing more is fetched for one who has left.
 */
export async function write(stream: Output, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (text === '') return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
    await promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
