import { lastEventOf } from '../../../mail/email/last-event.ts';
import type { LastEvent } from '../../../mail/email/last-event-shape.ts';
import { failedStatuses, pendingStatuses } from '../../../mail/email/statuses.ts';
import type { Deliveries, DeliveryGroup, RowDelivery, RowResult } from './run-shapes.ts';

/** Recipients that a group names. */
const maxNames = 20;

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
  const groups = Map.groupBy(
    rows.filter(({ emailId, status }) => emailId === null || isFailed(status)),
    (one) => [one.status, one.bounceType, one.bounceSubType, kindOf(one)].join('\n'),
  );
  return [...groups.values()]
    .map((some): DeliveryGroup => {
      const [{ status = '', bounceType = null, reason = null } = {}] = some;
      const to = some.slice(0, maxNames).map((one) => one.to);
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
