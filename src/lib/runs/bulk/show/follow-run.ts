import { MailerError, UsageError } from '../../../base/errors.ts';
import { isExistingFile } from '../../../base/files/write-file.ts';
import { grouped, quantity } from '../../../base/text/quantity.ts';
import { visible } from '../../../base/text/visible.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { done, failureOf, type Result } from '../../../command-line/output/result.ts';
import { fetchHistories, lastEventOf } from '../../../mail/email/last-event.ts';
import type { LastEvent } from '../../../mail/email/last-event-shape.ts';
import type { Followed } from '../../../mail/email/wait/follow.ts';
import { lastEvent } from '../../../mail/email/wait/show-followed.ts';
import { waitForAll } from '../../../mail/email/wait/wait-all.ts';
import type { EmailWait } from '../../../mail/email/wait/wait-flags.ts';
import { shortRunName } from '../journal/named-run.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { acceptedEmails, mostToFollow } from '../send/accepted-emails.ts';
import { deliveriesSummed, rowDeliveryOf } from './row-deliveries.ts';
import { rowResults } from './row-results.ts';
import type { RowResult } from './run-shapes.ts';
import { showDeliveries } from './show-deliveries.ts';
import { failureOfRun } from './show-results.ts';
import { outcomeInWords } from './summary.ts';
import { writeResults } from './write-results.ts';

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

/**
 * Follows the accepted emails of a run once nothing more can be sent, and closes the run. `results` is a file that
 * already has the result of each row, and then gets how far their emails are.
 */
export async function followRun(
  context: Context,
  run: OpenRun,
  wait: EmailWait,
  results: string | undefined,
): Promise<Result> {
  const { name, header } = run;
  const what = outcomeInWords(run.journal.counts(), header);
  const failure = failureOfRun(context, run);
  const emails = acceptedEmails(run);
  const isBrief =
    context.format() === 'table' &&
    context.system.stdout.isTTY === true &&
    context.flags.fields === undefined;
  const ofRows = isBrief || results !== undefined ? [...rowResults(run)] : [];
  run.close();
  if (emails.length === 0) return done({ reply: { data: [] }, ids: [], message: what, failure });
  const { rows, shown } = await waitForAll(context, emails, wait, {
    shortfall: failure?.message,
    watch: isBrief ? nextCommand(context, 'run', 'watch', shortRunName(name)) : undefined,
  });
  const ends = new Map(rows.map((one) => [one.id, endOf(one)]));
  // A pipe has had its rows.
  if (results !== undefined && isExistingFile(results, context.system)) {
    await addTimes(context, ends, results);
    const withEnds = ofRows.map((row) => ({ ...row, ...resultOf(ends.get(row.emailId ?? '')) }));
    await writeResults(context, { name, header }, results, withEnds, true);
  }
  const carriedOut = { ids: emails.map(({ id }) => id), run: name, what };
  if (!isBrief) return { ...shown, carriedOut };
  const deliveries = ofRows.map((row) => {
    const end = ends.get(row.emailId ?? '');
    return rowDeliveryOf(row, () => end?.lastEvent ?? 'QUEUED', end);
  });
  return {
    ...showDeliveries(context, deliveriesSummed(name, deliveries)),
    failure: failureOf(shown),
    carriedOut,
  };
}

/** What is known of an email after the wait; without the time if only the list was asked. */
function endOf(followed: Followed): LastEvent {
  const { listed } = followed;
  if (listed === undefined) {
    const event = lastEvent(followed);
    return lastEventOf(event && [event]);
  }
  return { ...lastEventOf(), lastEvent: listed.latestStatus ?? null };
}

/** Adds the last event of each email of which only the status is known: a request each. Warns if that fails. */
async function addTimes(
  context: Context,
  ends: Map<string, LastEvent>,
  results: string,
): Promise<void> {
  const timeless = [...ends].filter(
    ([, end]) => end.lastEvent !== null && end.lastEventAt === null,
  );
  try {
    const histories = await fetchHistories(
      context,
      timeless.map(([id]) => ({ id })),
    );
    for (const { row, events = [] } of histories) {
      if (events.length > 0) ends.set(row.id, lastEventOf(events));
    }
  } catch (error) {
    context.system.signal.throwIfAborted();
    if (!(error instanceof MailerError)) throw error;
    context.notes.warn(
      `${visible(results)} has no time of ${quantity(timeless.length, 'email')}: ${error.message}`,
    );
  }
}

function resultOf(end: LastEvent | undefined): Partial<RowResult> {
  if (end === undefined || end.lastEvent === null) return {};
  const { lastEvent, lastEventAt, reason } = end;
  return {
    lastEvent,
    ...(lastEventAt === null ? {} : { lastEventAt }),
    ...(reason === null ? {} : { reason }),
  };
}
