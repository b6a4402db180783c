import { Worker } from 'node:worker_threads';
import code from 'mime-thread/text' with { type: 'text' };
import { rareCharsets } from '../../../shared/mime/rare-charsets.ts';
import { type ReadMessage, readMime } from '../../../shared/mime/read-mime.ts';

/** Up to this many bytes, a message is read sooner than a thread starts. */
const small = 256 * 1024;

/** In MB: several times what the largest message takes. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** The end of the message that is being read. One at a time, because each may take much memory. */
let reading: Promise<unknown> = Promise.resolve();

interface Outcome {
  readonly email?: ReadMessage;
  readonly failure?: string;
  /** Whether the thread does not have a charset. */
  readonly isRare?: boolean;
}

const options = { lenient: true, rare: rareCharsets };

/** The same as `readMime`. A large message is read in a thread of its own, so that others need not wait. */
export function readMimeApart(source: Uint8Array): Promise<ReadMessage> {
  if (source.length <= small) return readMime(source, options);
  const read = reading.then(() => inThread(source));
  reading = read.catch(() => {});
  return read;
}

function inThread(source: Uint8Array): Promise<ReadMessage> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(code, { eval: true, workerData: source, resourceLimits });
    thread.once('message', ({ email, failure, isRare }: Outcome) => {
      if (isRare === true) resolve(readMime(source, options));
      else if (email === undefined) reject(new Error(failure));
      else resolve(email);
    });
    thread.once('error', reject);
    // After a message, this has no effect.
    thread.once('exit', () => reject(new Error('it could not be read')));
  });
}
