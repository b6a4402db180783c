import type { Email } from '../../api/email.ts';
import { type RecordResult, record, status, time } from '../output/result.ts';
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
      ['status', 'Status', status(latestStatus(email.emailEvents))],
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
      {
        title: 'History',
        columns: [
          { header: 'When' },
          { header: 'Status' },
          ...(several ? [{ header: 'Recipient', flexible: true }] : []),
          { header: 'Detail', flexible: true },
        ],
        rows: inOrder(email.emailEvents).map((event) => [
          time(event.createdAt, { seconds: true }),
          status(event.status),
          ...(several
            ? [namesIn(event), eventDetail(event)]
            : [[eventDetail(event), ...namesIn(event)].filter((part) => part !== '').join('; ')]),
        ]),
        empty: 'Nothing has been reported yet.',
      },
    ],
  });
}
