import { join } from 'node:path';
import { grouped } from '../../../base/text/quantity.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { done, type Result } from '../../../command-line/output/result.ts';
import { DryRun } from '../../../service/http/dry-run.ts';
import { isForgotten } from '../journal/forgotten.ts';
import { type KeyedRun, partKey } from '../journal/idempotency-key.ts';
import { openJournal } from '../journal/journal-file.ts';
import type { BegunPart } from '../journal/run-parts.ts';
import { runFiles } from '../journal/run-store.ts';
import { jsonOf } from '../send/part-emails.ts';
import { requestBatch } from '../send/request-batch.ts';
import { whyUnknown } from './summary.ts';

/**
 * Shows the next request of the run in a directory, which has `requests`; under `--dry-run`, that ends the
 * command. There may be none.
 */
export async function showFirstRequest(
  context: Context,
  directory: string,
  run: KeyedRun & { readonly baseUrl: string; readonly digest?: string | undefined },
  { requests, emails: inAll }: { readonly requests: number; readonly emails: number | null } = {
    requests: 1,
    emails: null,
  },
): Promise<Result> {
  const journal = openJournal(join(directory, runFiles.journal), { check: false });
  try {
    // Emails of a short response are read back first, not sent.
    const open = journal.unanswered().filter(({ ids }) => ids === undefined);
    // A dry run does not ask the service for its time.
    const now = { here: (await context.clock())(), service: undefined };
    const isOver = ({ begun }: BegunPart) => isForgotten({ ...begun, service: undefined }, now);
    const emails = open.filter(isOver).reduce((sum, part) => sum + part.size, 0);
    if (emails > 0) context.notes.warn(...whyUnknown({ emails, disputed: 0 }));
    const part = open.find((one) => !isOver(one)) ?? journal.ready(1)[0];
    if (part !== undefined) {
      if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
      const request = {
        emails: part.size,
        alone: part.chunk.alone,
        idempotencyKey: partKey(run, part),
      };
      // A run knows its base URL even if no account is set up.
      const client = await context.clientFor({ baseUrl: run.baseUrl, apiKey: undefined });
      await requestBatch(
        client,
        async () => {},
        run.digest,
      )(jsonOf(part, journal), request).catch((error: unknown) => {
        if (!(error instanceof DryRun)) throw error;
        throw new DryRun(error.request, { ...error.about, items: inAll });
      });
    }
    const message = 'There is nothing to send.';
    return done({ reply: { emails: 0 }, ids: [], message, isNothing: true });
  } finally {
    journal.close();
  }
}
