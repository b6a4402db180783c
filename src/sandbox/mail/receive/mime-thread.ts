import { parentPort, workerData } from 'node:worker_threads';
import { readMime } from '../../../shared/mime.ts';

// The thread of `readMimeApart`, which has no files of its own: it starts from the text of this module and
// its imports, which the bundler and vitest provide.
readMime(workerData).then(
  (email) => {
    const contents = email.attachments.map(({ content }) => content);
    const moved = contents.filter((content) => content instanceof ArrayBuffer);
    parentPort?.postMessage({ email }, moved);
  },
  (error: unknown) => {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) });
  },
);
