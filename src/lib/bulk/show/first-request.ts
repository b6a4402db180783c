import type { Context } from '../../command/context.ts';
import { grouped } from '../../text/quantity.ts';
import { openBodies } from '../journal/bodies.ts';
import { type KeyedRun, partKey } from '../journal/idempotency-key.ts';
import { openJournal } from '../journal/journal-file.ts';
import type { NewRun } from '../journal/run-store.ts';
import type { Prepared } from '../prepare/prepare.ts';
import { requestBatch } from '../send/request-batch.ts';

/** Shows the first request of a run that has been prepared: ends the command under `--dry-run`. */
export async function showFirstRequest(
  context: Context,
  files: NewRun,
  { requests }: Prepared,
  run: KeyedRun,
): Promise<void> {
  const journal = openJournal(files.journal, { check: false });
  const bodies = openBodies(files.bodies, journal.bodiesLength());
  try {
    const [part] = journal.ready(1);
    if (part === undefined) return;
    if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
    const send = requestBatch(context, async () => {});
    await send(bodies.read(part.chunk), {
      emails: part.chunk.rows.length,
      alone: part.chunk.alone,
      idempotencyKey: partKey(run, part),
      leaves: () => {},
      heard: () => {},
    });
  } finally {
    bodies.close();
    journal.close();
  }
}
