import type { Context } from '../../command/context.ts';
import { grouped } from '../../text/quantity.ts';
import { type BodyReader, openBodies } from '../journal/bodies.ts';
import { type KeyedRun, partKey } from '../journal/idempotency-key.ts';
import { openJournal } from '../journal/journal-file.ts';
import type { NewRun } from '../journal/run-store.ts';
import { jsonOf, sizeOf } from '../send/part-emails.ts';
import { requestBatch } from '../send/request-batch.ts';

/** More than a process has under way. */
const mostUnanswered = 1000;

/** Shows the next request of a run, one of `requests`: ends the command under `--dry-run`. */
export async function showFirstRequest(
  context: Context,
  files: Pick<NewRun, 'journal' | 'bodies'>,
  run: KeyedRun,
  requests = 1,
): Promise<void> {
  const journal = openJournal(files.journal, { check: false });
  let bodies: BodyReader | undefined;
  try {
    // Emails of a short response are read back first, and not sent.
    const unanswered = journal.unanswered(0, mostUnanswered).find(({ ids }) => ids === undefined);
    const part = unanswered ?? journal.ready(1)[0];
    if (part === undefined) return;
    bodies = openBodies(files.bodies, journal.bodiesLength());
    if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
    const send = requestBatch(context, async () => {});
    await send(jsonOf(part, bodies), {
      emails: sizeOf(part),
      alone: part.chunk.alone,
      idempotencyKey: partKey(run, part),
    });
  } finally {
    bodies?.close();
    journal.close();
  }
}
