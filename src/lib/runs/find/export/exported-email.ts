import type { EmailEvent, EmailListItem } from '../../../../api/email.ts';
import { withExactNumbers } from '../../../base/json/exact-numbers.ts';
import { csvRow } from '../../../base/text/csv.ts';
import { escapeJson } from '../../../base/text/visible.ts';
import { cellOf, plainCell } from '../../../command-line/output/cells.ts';
import type { TroubleCriteria } from '../../../mail/email/affected.ts';
import { type ExaminedHistory, withFields, withLastEvent } from '../../../mail/email/last-event.ts';
import type { LastEvent } from '../../../mail/email/last-event-shape.ts';

/** An email as an export writes it: as listed, with its last event and its history. */
export type ExportedEmail = EmailListItem &
  LastEvent & { readonly emailEvents: readonly EmailEvent[] };

type ExaminedEmail = ExaminedHistory<
  EmailListItem & { readonly emailEvents: readonly EmailEvent[] }
>;

export type ExportFormat = 'jsonl' | 'csv';

/** The columns of CSV. The bodies are only in JSON Lines. */
const columns = [
  ...['id', 'latestStatus', 'from', 'to', 'cc', 'bcc', 'replyTo', 'subject', 'createdAt'],
  ...['updatedAt', 'scheduledAt', 'domainId', 'lastEvent', 'lastEventAt', 'reason', 'bounceType'],
  ...['bounceSubType', 'diagnostic', 'complaint', 'emailEvents'],
] as const;

/** An email with its history; without events if the service no longer has it. */
export function exportedEmail(
  row: EmailListItem,
  events: readonly EmailEvent[] = [],
  trouble: TroubleCriteria | undefined,
): ExaminedEmail {
  return withLastEvent(withFields(row, { emailEvents: events }), events, trouble);
}

/** The line before all emails. */
export function exportHeader(format: ExportFormat): string {
  return format === 'csv' ? csvRow(columns) : '';
}

/** The line of an email, with its end. */
export function exportedLine(email: ExportedEmail, format: ExportFormat): string {
  if (format === 'jsonl') return `${escapeJson(JSON.stringify(withExactNumbers(email)))}\n`;
  return csvRow(columns.map((name) => plainCell(cellOf(email[name]))));
}

/** Tells two states of an email apart. */
export function storedState(email: Pick<EmailListItem, 'latestStatus' | 'updatedAt'>): string {
  // A cell of CSV is empty for null.
  return `${email.latestStatus || ''} ${email.updatedAt || ''}`;
}
