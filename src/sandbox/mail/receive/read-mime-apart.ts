import { Worker } from 'node:worker_threads';
import code from 'mime-thread/text' with { type: 'text' };
import type { Email } from 'postal-mime';
import { readMime } from '../../../shared/mime.ts';

/** Up to this many bytes, a message is read sooner than a thread starts. */
const small = 256 * 1024;

/** In MB: several times what the largest message takes. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** The end of the message that is being read. One at a time, because each may take much memory. */
let reading: Promise<unknown> = Promise.resolve();

/** The same as `readMime`. A large message is read in a thread of its own, so that others need not wait. */
export function readMimeApart(source: Uint8Array): Promise<Email> {
  if (source.length <= small) return readMime(source);
  const read = reading.then(() => inThread(source));
  reading = read.catch(() => {});
  return read;
}

function inThread(source: Uint8Array): Promise<Email> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(code, { eval: true, workerData: source, resourceLimits });
    thread.once('message', ({ email, failure }: { email?: Email; failure?: string }) => {
      if (email === undefined) reject(new Error(failure));
      else resolve(email);
    });
    thread.once('error', reject);
    // After a message, this has no effect.
    thread.once('exit', () => reject(new Error('it could not be read')));
  });
}
