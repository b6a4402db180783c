import { schemas } from '../json-schemas/load.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';
import { addSendmailFlags } from '../lib/mail/sendmail/sendmail-flags.ts';
import { sysexits } from '../lib/mail/sendmail/sysexits.ts';

export const command = defineCommand({
  description:
    'It replaces the program sendmail for programs that send mail through it; a link to mailer named sendmail runs this command. The message is on stdin, with headers. Nothing is printed unless something is wrong. The exit codes are those of sysexits.h. A message with a Message-ID is sent once, however often a program sends it within 24 hours. Other flags of sendmail have no effect, except -C, -D, -d, -q and -X, which are errors. Long flags are those of mailer.',
  effects: { mails: true },
  exits: {
    64: 'wrong flags, or no recipients',
    65: 'a message that cannot be read or sent, or that the service rejected',
    67: 'a local user, and no local-mail-to',
    69: 'the outcome is unknown, so another attempt may send it twice; or the service cannot send it',
    75: 'the service cannot be reached now; sending it again is safe',
    77: 'no key, or a rejected one; or a policy does not allow it',
    78: 'no default sender, no base URL, or a wrong setting',
  },
  prints: [
    documentOf(
      'the ids of the emails that were sent for the message',
      schemas.sendmail('sendmailReply'),
    ),
  ],
  takes: ['service', 'sandbox', 'dry runs'],
  examples: {
    'mailer sendmail -t < message.eml': 'Send a message to the recipients in its headers',
    'printf "Subject: Hi\\n\\nHello\\n" | mailer sendmail --from hello@example.com ana@example.org':
      'Send a message that a script writes',
  },
  offers: { '--from': 'senders' },
  ownLetters: true,
  exitCodes: sysexits,
  flags: addSendmailFlags,
  async run(context, options, recipients) {
    const { sendMessage } = await import('../lib/mail/sendmail/send-message.ts');
    return await sendMessage(context, options, recipients);
  },
});
