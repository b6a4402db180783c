import { addressees } from '../../../api/addressees.ts';
import type { EmailEvent, EmailListItem } from '../../../api/email.ts';
import { UsageError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { countOf } from '../../mail/email/email-outcome.ts';
import { fetchHistories, lastEventOf } from '../../mail/email/last-event.ts';
import { pendingStatuses } from '../../mail/email/statuses.ts';
import { type ReadRun, runsOf } from '../bulk/journal/run-store.ts';
import { rowDeliveryOf } from '../bulk/show/row-deliveries.ts';
import { rowResults } from '../bulk/show/row-results.ts';
import type { RowDelivery, RowResult } from '../bulk/show/run-shapes.ts';
import { type Listed, lookUpRun } from '../find/deliveries/deliveries.ts';
import { runEmails } from '../find/run-emails.ts';

/** How far a row is after all runs of its chain. */
export interface RowState extends RowDelivery {
  /** A status that can be retried, or why it cannot be. */
  readonly state: string;
}

/** Statuses in the list that may turn out to be one that can be retried. */
const doubtful = ['BOUNCED', 'REJECTED', 'FAILED', 'RENDERING_FAILURE'];

/**
 * The state of each row, as the last run of the chain that had it left it, and as the service tells it now, unless only
 * rows without an email are of interest. Emails that failed are read one by one: their events decide. Throws a `UsageError` if the service does not tell the state of one.
 */
export async function rowStates(
  context: Context,
  chain: readonly ReadRun[],
  asksService: boolean,
): Promise<readonly RowState[]> {
  const latest = latestResults(context, chain);
  const listed: Listed = new Map();
  for (const { name } of asksService ? chain : []) {
    const own = latest.filter((one) => one.run === name);
    const ids = new Set(own.flatMap(({ emailId }) => emailId ?? []));
    if (ids.size === 0) continue;
    const found = await lookUpRun(context, { ...runEmails(context, name), ids });
    for (const [id, email] of found) listed.set(id, email);
  }
  const isDoubtful = (id: string) => {
    const status = listed.get(id)?.latestStatus;
    return asksService && (!status || doubtful.includes(status));
  };
  const unclear = latest.flatMap(({ emailId }) =>
    emailId !== undefined && isDoubtful(emailId) ? [{ id: emailId }] : [],
  );
  const histories = await fetchHistories(context, unclear);
  const events = new Map(histories.map(({ row, events }) => [row.id, events]));
  const isUntold = (id: string) => {
    if (!events.has(id)) return false;
    // Nothing has happened yet to a new email; what has failed has a reason.
    return events.get(id) === undefined || (!events.get(id)?.length && listed.has(id));
  };
  const untold = latest.filter(({ emailId }) => isUntold(emailId ?? ''));
  if (untold.length > 0) throw notTold(untold);
  return latest.map((one) => {
    const email = listed.get(one.emailId ?? '');
    const own = events.get(one.emailId ?? '');
    const last = lastEventOf(own);
    const statusOf = () => last.lastEvent ?? email?.latestStatus ?? 'accepted';
    const row = rowDeliveryOf(one, statusOf, last);
    if (row.emailId === null) return { ...row, state: row.status };
    return { ...row, state: own === undefined ? stateListed(row.status) : stateOf(own, email) };
  });
}

/** The result of each row in the last run that had it, in the order of the rows. */
function latestResults(context: Context, chain: readonly ReadRun[]) {
  const store = runsOf(context);
  const latest = new Map<number, RowResult & { readonly run: string }>();
  for (const { name, header } of chain) {
    const results = store.look(name, (journal) => [...rowResults({ journal, header })]);
    for (const one of results ?? []) latest.set(one.row, { ...one, run: name });
  }
  return [...latest.values()].sort((one, other) => one.row - other.row);
}

/** The state of an email by its status in the list, if that cannot be retried. */
function stateListed(status: string): string {
  if (pendingStatuses.some((one) => one === status)) return 'waiting';
  return ['OPENED', 'CLICKED'].includes(status) ? 'delivered' : status.toLowerCase();
}

/** The state of an email by its events: it can be retried only if no recipient has got it, or still may. */
function stateOf(events: readonly EmailEvent[], email: EmailListItem | undefined): string {
  const of = (...statuses: readonly string[]) =>
    events.filter(({ status }) => statuses.includes(status));
  const has = (...statuses: readonly string[]) => of(...statuses).length > 0;
  const bounces = of('BOUNCED');
  const isTransient = (one: EmailEvent) => lastEventOf([one]).bounceType === 'Transient';
  if (has('COMPLAINED')) return 'complained';
  if (has('DELIVERED', 'OPENED', 'CLICKED')) return 'delivered';
  if (has('SUPPRESSED')) return 'suppressed';
  if (has('CANCELLED')) return 'cancelled';
  if (!bounces.every(isTransient)) return 'bounced';
  if (has('FAILED', 'RENDERING_FAILURE')) return 'failed';
  if (has('REJECTED')) return 'rejected';
  // Those of its recipients who have no bounce may still get it.
  const recipients = Math.max(1, addressees(email ?? {}).length, of('SENT').length);
  return countOf(bounces) < recipients ? 'waiting' : 'bounced-transient';
}

function notTold(rows: readonly RowResult[]): UsageError {
  const some = rows.slice(0, 10).map(({ row, emailId }) => `${row} (${emailId})`);
  const more = rows.length > some.length ? `, and ${rows.length - some.length} more` : '';
  return new UsageError(
    `The service does not report the status of the emails of these rows: ${some.join(', ')}${more}.`,
    { hint: 'Nothing was sent, because these people may already have their emails.' },
  );
}
