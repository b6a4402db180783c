import type { EmailEvent, EmailListItem } from '../../../../api/email.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { inOrder } from '../../../mail/email/events.ts';
import { fetchHistories, lastEventOf } from '../../../mail/email/last-event.ts';
import { readHeader } from '../../bulk/journal/run-header.ts';
import { runsOf } from '../../bulk/journal/run-store.ts';
import { isFailed, isWaiting, rowDeliveryOf } from '../../bulk/show/row-deliveries.ts';
import { rowResults } from '../../bulk/show/row-results.ts';
import type { RowDelivery } from '../../bulk/show/run-shapes.ts';
import { queryOfRun } from '../email-query.ts';
import { findEmails } from '../find-emails.ts';
import type { RunEmails } from '../run-emails.ts';

/** The emails of a run as the service lists them, by id. */
export type Listed = Map<string, EmailListItem>;

/** How long an email is queued at most, usually, in milliseconds. */
const usuallyQueued = 60_000;

/** Histories that are read at the same time to find out whether emails failed to render. */
const readAtOnce = 10;

/**
 * Looks up the emails of a run in the list; those in `known` that wait no more are left as they are. Those that failed to
 * render have that status.
 */
export async function lookUpRun(
  context: Context,
  { ids, ...run }: RunEmails,
  known: Listed = new Map(),
): Promise<Listed> {
  const open = [...ids].filter((id) => isWaiting(statusIn(known, id)));
  if (open.length === 0) return known;
  // Emails that are newer than all of these need not be looked through again.
  const last = open.reduce(
    (latest, id) => Math.max(latest, Date.parse(known.get(id)?.createdAt ?? '')),
    0,
  );
  const to = Number.isNaN(last) ? run.to : last + 1;
  const everything = { most: Number.POSITIVE_INFINITY, mostScanned: Number.POSITIVE_INFINITY };
  const { pages } = findEmails(context, queryOfRun({ ...run, to, ids: new Set(open) }), everything);
  const listed = new Map(known);
  for await (const { rows } of pages) for (const email of rows) listed.set(email.id, email);
  for (const email of await unrendered(context, listed)) listed.set(email.id, email);
  return listed;
}

/**
 * The emails that failed to render. The list shows them as queued, because the service ranks that status higher. So the
 * histories of those that have been queued for long are read, oldest first, as long as they have such failures.
 */
async function unrendered(context: Context, listed: Listed): Promise<EmailListItem[]> {
  const queued = [...listed.values()].filter(({ latestStatus }) => latestStatus === 'QUEUED');
  if (queued.length === 0) return [];
  const now = (await context.clock())();
  const since = (email: EmailListItem) =>
    Math.max(Date.parse(email.createdAt ?? ''), Date.parse(email.scheduledAt ?? '') || 0);
  const late = queued
    // Another clock may be ahead of this one.
    .filter((email) => Math.abs(now - since(email)) > usuallyQueued)
    .sort((one, other) => since(one) - since(other));
  const found: EmailListItem[] = [];
  for (let at = 0; at < late.length; at += readAtOnce) {
    const histories = await fetchHistories(context, late.slice(at, at + readAtOnce));
    const failed = histories.filter(({ events }) => isUnrendered(events));
    if (failed.length === 0) break;
    found.push(
      ...failed.map(({ row }) => ({ ...row, latestStatus: 'RENDERING_FAILURE' as const })),
    );
  }
  return found;
}

/** Whether nothing came after the failure. An email that was queued again may still be sent. */
function isUnrendered(events: readonly EmailEvent[] = []): boolean {
  return inOrder(events).at(-1)?.status === 'RENDERING_FAILURE';
}

/** The status of an email; that of a new one before it is listed. */
export function statusIn(listed: Listed, id: string): string {
  return listed.get(id)?.latestStatus ?? 'QUEUED';
}

/** The rows of a run with their status. Those that failed have their reason, with a request each. */
export async function deliveriesOf(
  context: Context,
  name: string,
  listed: Listed,
): Promise<readonly RowDelivery[]> {
  const rows = runsOf(context).look(name, (journal) => {
    const header = readHeader(journal);
    return header === undefined ? [] : [...rowResults({ journal, header })];
  });
  const statusOf = (id: string) => (listed.has(id) ? statusIn(listed, id) : 'UNLISTED');
  const all = (rows ?? []).map((row) => rowDeliveryOf(row, statusOf));
  const unclear = all.filter(
    ({ emailId, status }) =>
      emailId !== null && (isFailed(status) || status === 'DELIVERY_DELAYED'),
  );
  const histories = await fetchHistories(
    context,
    unclear.map(({ emailId }) => ({ id: emailId ?? '' })),
  );
  const byId = new Map(histories.map(({ row, events }) => [row.id, lastEventOf(events)]));
  return all.map((one) => ({ ...one, ...byId.get(one.emailId ?? '') }));
}
