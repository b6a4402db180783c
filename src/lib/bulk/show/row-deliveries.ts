import { type LastEvent, lastEventOf } from '../../email/last-event.ts';
import { failedStatuses, pendingStatuses } from '../../email/statuses.ts';
import type { RowResult } from './row-results.ts';

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

/** How far a row is, with the status of its email and perhaps what its history says. */
export function rowDeliveryOf(
  { row, to, emailId, error }: RowResult,
  statusOf: (emailId: string) => string,
  event: LastEvent = nothing,
): RowDelivery {
  if (emailId !== undefined) return { row, to, emailId, status: statusOf(emailId), ...event };
  const status = error?.code ?? 'unknown';
  return { row, to, emailId: null, status, ...nothing, reason: error?.message ?? null };
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

export function isFailed(status: string): boolean {
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
