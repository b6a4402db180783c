import type { EmailListItem } from '../../../api/email.ts';
import { readHeader } from '../../bulk/journal/run-header.ts';
import { runsOf } from '../../bulk/journal/run-store.ts';
import { type RowResult, rowResults } from '../../bulk/show/row-results.ts';
import type { Context } from '../../command/context.ts';
import { queryOfRun } from '../email-query.ts';
import { findEmails } from '../find-emails.ts';
import { fetchHistories, type LastEvent, lastEventOf } from '../last-event.ts';
import type { RunEmails } from '../run-emails.ts';
import { failedStatuses, pendingStatuses } from '../statuses.ts';

/** How far a row of a run is. */
export interface RowDelivery extends LastEvent {
  readonly row: number;
  /** Its recipients. */
  readonly to: string;
  /** Null if the service has not accepted it. */
  readonly emailId: string | null;
  /** The status of its email, or why it has none, such as `invalid`; `UNLISTED` if the service does not list it. */
  readonly status: string;
}

/** Rows that failed in the same way. */
export interface DeliveryGroup {
  readonly status: string;
  /** In the words of one of them, without its address. */
  readonly reason: string | null;
  readonly bounceType: string | null;
  readonly rows: number;
  /** The recipients of the first ones. */
  readonly to: readonly string[];
}

/** What became of the rows of a run. Each accepted email counts as one of delivered, waiting, bounced and failed. */
export interface Deliveries {
  readonly run: string;
  /** Accepted by the service. */
  readonly emails: number;
  /** Delivered, whatever happened then. */
  readonly delivered: number;
  /** Of these, opened or clicked. */
  readonly opened: number;
  /** Of these, reported as unwanted. */
  readonly complained: number;
  readonly bounced: number;
  /** Rejected by the provider, suppressed, cancelled, or failed in another way. */
  readonly failed: number;
  readonly waiting: number;
  /** Not in the service's list. */
  readonly unlisted: number;
  /** Rows that the service has not accepted, or perhaps not. */
  readonly unsent: number;
  readonly groups: readonly DeliveryGroup[];
}

/** Recipients that a group names. */
const mostNamed = 20;

const arrived = ['DELIVERED', 'OPENED', 'CLICKED', 'COMPLAINED'];
const failed: readonly string[] = failedStatuses;
const pending: readonly string[] = pendingStatuses;
const nothing = lastEventOf();

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
  const all = (rows ?? []).map((row) => deliveryOf(row, listed));
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

function deliveryOf({ row, to, emailId, error }: RowResult, listed: Listed): RowDelivery {
  if (emailId === undefined) {
    const status = error?.code ?? 'unknown';
    return { row, to, emailId: null, status, ...nothing, reason: error?.message ?? null };
  }
  const email = listed.get(emailId);
  const status = email === undefined ? 'UNLISTED' : (email.latestStatus ?? 'QUEUED');
  return { row, to, emailId, status, ...nothing };
}

/** The counts of a run, and its failures in groups, the largest first. */
export function deliveriesSummed(run: string, rows: readonly RowDelivery[]): Deliveries {
  const accepted = rows.filter(({ emailId }) => emailId !== null);
  const counts = countsOf(accepted.map(({ status }) => status));
  return { run, ...counts, unsent: rows.length - accepted.length, groups: failureGroups(rows) };
}

/** How many emails are how far, by their statuses. */
export function countsOf(
  statuses: readonly string[],
): Omit<Deliveries, 'run' | 'unsent' | 'groups'> {
  const count = (holds: (status: string) => boolean) => statuses.filter(holds).length;
  const emails = statuses.length;
  const delivered = count((status) => arrived.includes(status));
  const bounced = count((status) => status === 'BOUNCED');
  const waiting = count(isWaiting);
  const unlisted = count((status) => status === 'UNLISTED');
  return {
    ...{ emails, delivered },
    opened: count((status) => status === 'OPENED' || status === 'CLICKED'),
    complained: count((status) => status === 'COMPLAINED'),
    ...{ bounced, failed: emails - delivered - bounced - waiting - unlisted, waiting, unlisted },
  };
}

export function isWaiting(status: string): boolean {
  return pending.includes(status);
}

function isFailed(status: string): boolean {
  return failed.includes(status) || status === 'COMPLAINED' || status === 'CANCELLED';
}

/** Rows that failed, in groups of the same reason, the largest first. */
export function failureGroups(rows: readonly RowDelivery[]): DeliveryGroup[] {
  const groups = new Map<string, RowDelivery[]>();
  for (const one of rows) {
    if (one.emailId !== null && !isFailed(one.status)) continue;
    const key = [one.status, one.bounceType, one.bounceSubType, kindOf(one)].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()]
    .map((some): DeliveryGroup => {
      const [{ status = '', bounceType = null, reason = null } = {}] = some;
      const to = some.slice(0, mostNamed).map((one) => one.to);
      const words = reason === null ? null : withoutAddresses(reason);
      return { status, reason: words, bounceType, rows: some.length, to };
    })
    .sort((one, other) => other.rows - one.rows);
}

/** The kind of a failure: the code of the receiving server if it gave one (RFC 3463), else its words. */
function kindOf({ diagnostic, reason }: RowDelivery): string {
  const [code] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(diagnostic ?? '') ?? [];
  return code ?? withoutAddresses(reason ?? '');
}

function withoutAddresses(text: string): string {
  return text.replace(/<?[^\s<>;,@]+@[^\s<>;,@]+>?/g, '…');
}
