import type { EmailListItem } from '../../../api/email.ts';
import { readHeader } from '../../bulk/journal/run-header.ts';
import { runsOf } from '../../bulk/journal/run-store.ts';
import { isFailed, isWaiting, rowDeliveryOf } from '../../bulk/show/row-deliveries.ts';
import { rowResults } from '../../bulk/show/row-results.ts';
import type { RowDelivery } from '../../bulk/show/run-shapes.ts';
import type { Context } from '../../command/context.ts';
import { fetchHistories, lastEventOf } from '../../email/last-event.ts';
import { queryOfRun } from '../email-query.ts';
import { findEmails } from '../find-emails.ts';
import type { RunEmails } from '../run-emails.ts';

/** The emails of a run as the service lists them, by id. */
export type Listed = Map<string, EmailListItem>;

/** Looks up the emails of a run in the list; those in `known` that wait no more are left as they are. */
export async function lookUpRun(
  context: Context,
  { ids, ...run }: RunEmails,
  known: Listed = new Map(),
): Promise<Listed> {
  const open = [...ids].filter((id) => isWaiting(statusIn(known, id)));
  if (open.length === 0) return known;
  const created = open.map((id) => Date.parse(known.get(id)?.createdAt ?? ''));
  // Emails that are newer than all of these need not be looked through again.
  const to = created.some(Number.isNaN) ? run.to : Math.max(...created) + 1;
  const everything = { most: Number.POSITIVE_INFINITY, mostScanned: Number.POSITIVE_INFINITY };
  const search = findEmails(context, queryOfRun({ ...run, to, ids: new Set(open) }), everything);
  const listed = new Map(known);
  for await (const { rows } of search.pages) for (const email of rows) listed.set(email.id, email);
  return listed;
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
  const statusOf = (id: string) => {
    const email = listed.get(id);
    return email === undefined ? 'UNLISTED' : (email.latestStatus ?? 'QUEUED');
  };
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
