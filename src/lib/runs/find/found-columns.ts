import type { EmailListItem } from '../../../api/email.ts';
import { type Cell, type Column, status, time } from '../../command-line/output/result.ts';
import type { FoundEmail } from '../../mail/email/last-event.ts';
import type { LastEvent } from '../../mail/email/last-event-shape.ts';

/** The columns of a list of emails. */
export const listedColumns: readonly Column<EmailListItem>[] = [
  { field: 'id', header: 'Id' },
  { field: 'latestStatus', header: 'Status', cell: ({ latestStatus }) => status(latestStatus) },
  { field: 'to', header: 'To', flexible: true },
  { field: 'subject', header: 'Subject', flexible: true },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
  {
    field: 'scheduledAt',
    header: 'Scheduled',
    cell: (row) => (isScheduled(row) ? time(row.scheduledAt) : undefined),
    onlyFor: isScheduled,
  },
];

/** Whether the email is still to be sent. Services keep `scheduledAt` afterwards. */
function isScheduled({ latestStatus, scheduledAt }: EmailListItem): boolean {
  return typeof scheduledAt === 'string' && (latestStatus ?? 'SCHEDULED') === 'SCHEDULED';
}

/** The columns of what the history of an email says. A terminal shows the reason, which has most of them. */
export const eventColumns: readonly Column<Partial<LastEvent>>[] = [
  hidden('lastEvent', 'Event', ({ lastEvent }) => lastEvent),
  { field: 'lastEventAt', header: 'At', cell: ({ lastEventAt }) => time(lastEventAt) },
  {
    ...{ field: 'reason', header: 'Reason' },
    ...{ flexible: true, folds: true },
  },
  hidden('bounceType', 'Bounce', ({ bounceType }) => bounceType),
  hidden('bounceSubType', 'Kind of bounce', ({ bounceSubType }) => bounceSubType),
  hidden('diagnostic', 'Diagnostic', ({ diagnostic }) => diagnostic),
  hidden('complaint', 'Complaint', ({ complaint }) => complaint),
];

/** Those of emails that are looked for, with the recipients of whom their histories tell. */
export const foundColumns: readonly Column<FoundEmail>[] = [
  ...eventColumns,
  { field: 'affected', header: 'Affected', inDetails: true },
];

function hidden(
  field: string,
  header: string,
  cell: (event: Partial<LastEvent>) => Cell,
): Column<Partial<LastEvent>> {
  return { field, header, cell, inDetails: true };
}
