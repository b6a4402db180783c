import type { EmailEvent } from '../../../api/email.ts';
import { emailStatuses } from '../../../api/email-status.ts';
import { isObject } from '../../command-line/output/fields.ts';

const ranks: readonly string[] = emailStatuses;

/** The status of highest rank that an email has reached, as in the service's own `latestStatus`. */
export function latestStatus(events: readonly EmailEvent[]): string | undefined {
  return events
    .map(({ status }) => status)
    .reduce<string | undefined>(
      (best, one) => (best === undefined || ranks.indexOf(one) > ranks.indexOf(best) ? one : best),
      undefined,
    );
}

/** Events from first to last; simultaneous ones by rank. The service returns them in no order. */
export function inOrder(events: readonly EmailEvent[]): EmailEvent[] {
  return [...events].sort(
    (a, b) =>
      Date.parse(a.createdAt) - Date.parse(b.createdAt) ||
      ranks.indexOf(a.status) - ranks.indexOf(b.status),
  );
}

/** An event's data as text: the kind of bounce or delay and its reason, the SMTP response. */
export function eventDetail({ data }: EmailEvent): string {
  if (!isObject(data)) return '';
  const { bounceType, bounceSubType, smtpResponse, delayType, reason, error } = data;
  const parts = [
    [bounceType, bounceSubType].filter(isText).join('/'),
    data.complaintFeedbackType,
    ...diagnoses(data.bouncedRecipients),
    smtpResponse,
    delayType,
    ...diagnoses(data.delayedRecipients),
    reason,
    isObject(error) ? error.message : error,
  ];
  return parts.filter(isText).join('; ');
}

/** What the receiving server said about the recipients of an event; empty if it said nothing. */
export function diagnosisOf({ data }: EmailEvent): string {
  if (!isObject(data)) return '';
  const said = [...diagnoses(data.bouncedRecipients), ...diagnoses(data.delayedRecipients)];
  return said.filter(isText).join('; ');
}

/** The receiving server's diagnostics for the recipients, without repetitions. */
function diagnoses(recipients: unknown): unknown[] {
  if (!Array.isArray(recipients)) return [];
  return [...new Set(recipients.map((one) => (isObject(one) ? one.diagnosticCode : undefined)))];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
