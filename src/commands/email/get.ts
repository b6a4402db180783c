import type { Email } from '../../api/email.ts';
import { defineCommand } from '../../lib/command.ts';
import { eventDetail, inOrder, latestStatus } from '../../lib/email/history.ts';
import { type RecordResult, record, status, time } from '../../lib/output/result.ts';

export const command = defineCommand({
  examples: [
    ['mailer email get cm3k9x2f8000008l4', 'Show an email and what has happened to it'],
    ['mailer email get cm3k9x2f8000008l4 --json --fields emailEvents.status', 'Only the statuses'],
  ],
  flags: (command) => command.argument('<id>', 'id of the email'),
  async run(context, _options, emailId) {
    return showEmail(await context.call('email.get', { params: { emailId } }));
  },
});

/** An email as a record, with its history as a timeline. */
function showEmail(email: Email): RecordResult {
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
        columns: [{ header: 'When' }, { header: 'Status' }, { header: 'Detail', flexible: true }],
        rows: inOrder(email.emailEvents).map((event) => [
          time(event.createdAt),
          status(event.status),
          eventDetail(event),
        ]),
        empty: 'Nothing has been reported yet.',
      },
    ],
  });
}
