import type { Context } from '../../command/context.ts';
import { grouped } from '../../text/quantity.ts';
import { type BodyReader, openBodies } from '../journal/bodies.ts';
import { type KeyedRun, partKey } from '../journal/idempotency-key.ts';
import { openJournal } from '../journal/journal-file.ts';
import type { NewRun } from '../journal/run-store.ts';
import { requestBatch } from '../send/request-batch.ts';

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
    const [part] = [...journal.unanswered(0, 1), ...journal.ready(1)];
    if (part === undefined) return;
    bodies = openBodies(files.bodies, journal.bodiesLength());
    if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
    const send = requestBatch(context, async () => {});
    await send(bodies.read(part.chunk), {
      emails: part.chunk.rows.length,
      alone: part.chunk.alone,
      idempotencyKey: partKey(run, part),
    });
  } finally {
    bodies?.close();
    journal.close();
  }
}
