import type { Context } from '../../command/context.ts';
import type { EmailWait } from '../../email/wait/wait-flags.ts';
import { UsageError } from '../../errors.ts';
import { done, type Result } from '../../output/result.ts';
import { grouped } from '../../text/quantity.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { acceptedEmails, mostToFollow } from '../send/accepted-emails.ts';
import { failureOfRun } from './show-results.ts';
import { outcomeInWords } from './summary.ts';

/** Throws a `UsageError` when a run has more emails than can be followed. */
export function refuseToFollow(emails: number): void {
  if (emails <= mostToFollow) return;
  throw new UsageError(
    `--wait follows up to ${grouped(mostToFollow)} emails; this run has ${grouped(emails)}`,
    {
      hint: 'Nothing was sent. Leave out --wait; mailer email list shows the status of each email.',
    },
  );
}

/** Follows the accepted emails of a run once nothing more can be sent, and closes the run. */
export async function followRun(context: Context, run: OpenRun, wait: EmailWait): Promise<Result> {
  const counts = run.journal.counts();
  const failure = failureOfRun(context, run);
  const emails = acceptedEmails(run);
  run.close();
  if (emails.length === 0) {
    return done({
      reply: { data: [] },
      ids: [],
      message: outcomeInWords(counts, run.header),
      failure,
    });
  }
  const { waitForAll } = await import('../../email/wait/wait-all.ts');
  const followed = await waitForAll(context, emails, wait, failure?.message);
  const ids = emails.map(({ id }) => id);
  const what = outcomeInWords(counts, run.header);
  return { ...followed, carriedOut: { ids, run: run.name, what } };
}
