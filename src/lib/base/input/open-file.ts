import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { unlessAborted } from '../system/abort.ts';
import type { System } from '../system/system.ts';
import { visible } from '../text/visible.ts';

type Waiting = Pick<System, 'cwd' | 'signal' | 'sleep'>;

/** Milliseconds before it is reported. The writer of a process substitution needs none. */
const patience = 1000;

/** Opens a file to read it. Reports that it waits, if it is a named pipe without a writer. */
export function openFile(
  path: string,
  system: Waiting,
  report: (text: string) => void,
  highWaterMark?: number,
): ReadStream {
  const stream = createReadStream(resolve(system.cwd, path), { highWaterMark });
  void reportWaiting(stream, path, system, report);
  return stream;
}

/** The bytes of an input as they arrive. Rejects as soon as the signal aborts. */
export async function* bytesOf(
  input: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const iterator = input[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await unlessAborted(signal, iterator.next());
    if (done === true) return;
    yield typeof value === 'string' ? Buffer.from(value) : value;
  }
}

/** A stream of a named pipe does not open before that has a writer. */
async function reportWaiting(
  stream: ReadStream,
  path: string,
  { signal, sleep }: Waiting,
  report: (text: string) => void,
): Promise<void> {
  const opened = new AbortController();
  for (const event of ['open', 'close']) stream.once(event, () => opened.abort());
  try {
    if (!statSync(stream.path).isFIFO()) return;
    await sleep(patience, AbortSignal.any([signal, opened.signal]));
  } catch {
    return;
  }
  report(`Waiting for a program to write to ${visible(path)}`);
  stream.once('open', () => report(''));
}
