import { parentPort, workerData } from 'node:worker_threads';
import { RareCharsetError } from '../../../shared/mime/charset.ts';
import { readMime } from '../../../shared/mime/read-mime.ts';

// The thread of `readMimeApart`, which has no files of its own: it starts from the text of this module and
// its imports, which the bundler and vitest provide.
readMime(workerData, { lenient: true }).then(
  (email) => {
    const contents = email.attachments.map(({ content }) => content);
    const moved = contents.filter((content) => content instanceof ArrayBuffer);
    parentPort?.postMessage({ email }, moved);
  },
  (error: unknown) => {
    // iconv-lite is not in the thread.
    const isRare = error instanceof RareCharsetError;
    const failure = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ failure, isRare });
  },
);
