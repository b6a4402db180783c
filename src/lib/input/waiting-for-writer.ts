import type { ReadStream } from 'node:fs';
import type { System } from '../system/system.ts';
import { visible } from '../text/visible.ts';

/** Milliseconds before it is reported. The writer of a process substitution needs none. */
const patience = 1000;

/** Reports that a named pipe has no writer: a stream does not open it before. */
export async function reportWaiting(
  stream: ReadStream,
  path: string,
  { signal, sleep }: Pick<System, 'signal' | 'sleep'>,
  report: (text: string) => void,
): Promise<void> {
  const opened = new AbortController();
  for (const event of ['open', 'close']) stream.once(event, () => opened.abort());
  try {
    await sleep(patience, AbortSignal.any([signal, opened.signal]));
  } catch {
    return;
  }
  report(`Waiting for a program to write to ${visible(path)}`);
  stream.once('open', () => report(''));
}
