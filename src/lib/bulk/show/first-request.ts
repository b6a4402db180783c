import { join } from 'node:path';
import type { Context } from '../../command/context.ts';
import { done, type Result } from '../../output/result.ts';
import { grouped } from '../../text/quantity.ts';
import { type BodyReader, openBodies } from '../journal/bodies.ts';
import { type KeyedRun, partKey } from '../journal/idempotency-key.ts';
import { openJournal } from '../journal/journal-file.ts';
import { runFiles } from '../journal/run-store.ts';
import { jsonOf, sizeOf } from '../send/part-emails.ts';
import { requestBatch } from '../send/request-batch.ts';

/** More than a process has under way. */
const mostUnanswered = 1000;

/**
 * Shows the next request of the run in a directory, one of `requests`: ends the command under
 * `--dry-run`. There may be none.
 */
export async function showFirstRequest(
  context: Context,
  directory: string,
  run: KeyedRun & { readonly baseUrl: string },
  requests = 1,
): Promise<Result> {
  const journal = openJournal(join(directory, runFiles.journal), { check: false });
  let bodies: BodyReader | undefined;
  try {
    // Emails of a short response are read back first, and not sent.
    const unanswered = journal.unanswered(0, mostUnanswered).find(({ ids }) => ids === undefined);
    const part = unanswered ?? journal.ready(1)[0];
    if (part !== undefined) {
      bodies = openBodies(join(directory, runFiles.bodies), journal.bodiesLength());
      if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
      const request = {
        emails: sizeOf(part),
        alone: part.chunk.alone,
        idempotencyKey: partKey(run, part),
      };
      await requestBatch(context, async () => {})(jsonOf(part, bodies), request);
    }
    return done({ reply: { emails: 0 }, ids: [], message: 'There is nothing to send.' });
  } finally {
    bodies?.close();
    journal.close();
  }
}
