import type { Email, EmailEvent } from '../../api/email.ts';
import { type Column, type RecordResult, record, section, status, time } from '../output/result.ts';
import { eventDetail, inOrder, latestStatus } from './events.ts';
import { namesIn, recipientsOf } from './recipients.ts';

/** An email as a record, with its history as a timeline. */
export function showEmail(email: Email): RecordResult {
  const several = recipientsOf(email).length > 1;
  return record({
    reply: email,
    quiet: email.id,
    rows: [
      ['id', 'Id', email.id],
      ['latestStatus', 'Status', status(latestStatus(email.emailEvents))],
      ['from', 'From', email.from],
      ['to', 'To', email.to],
      ['cc', 'Cc', email.cc],
      ['bcc', 'Bcc', email.bcc],
      ['replyTo', 'Reply-To', email.replyTo],
      ['subject', 'Subject', email.subject],
      ['createdAt', 'Created', time(email.createdAt)],
      ['text', 'Text', email.text],
      ['html', 'HTML', email.html],
    ],
    sections: [
      section<EmailEvent>({
        title: 'History',
        field: 'emailEvents',
        columns: historyColumns(several),
        rows: inOrder(email.emailEvents),
        empty: 'Nothing has been reported yet.',
      }),
    ],
  });
}

/** With several recipients, each has a line of its own. */
function historyColumns(several: boolean): readonly Column<EmailEvent>[] {
  const detail = (event: EmailEvent) =>
    [eventDetail(event), ...(several ? [] : namesIn(event))]
      .filter((part) => part !== '')
      .join('; ');
  const recipient: Column<EmailEvent> = {
    field: 'recipient',
    header: 'Recipient',
    cell: namesIn,
    computed: true,
    flexible: true,
  };
  return [
    {
      field: 'createdAt',
      header: 'When',
      cell: ({ createdAt }) => time(createdAt, { seconds: true }),
    },
    { field: 'status', header: 'Status', cell: (event) => status(event.status) },
    ...(several ? [recipient] : []),
    { field: 'detail', header: 'Detail', cell: detail, computed: true, flexible: true },
  ];
}
