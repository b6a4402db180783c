import { defineCommand } from '../lib/command/command.ts';
import { addSendmailFlags } from '../lib/sendmail/sendmail-flags.ts';
import { sysexits } from '../lib/sendmail/sysexits.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs'],
  examples: [
    ['mailer sendmail -t < message.eml', 'Send a message to the recipients in its headers'],
    [
      'printf "Subject: Hi\\n\\nHello\\n" | mailer sendmail --from hello@example.com ana@example.org',
      'Send a message that a script writes',
    ],
  ],
  offers: { '--from': 'senders' },
  ownLetters: true,
  exitCodes: sysexits,
  flags: addSendmailFlags,
  async run(context, options, recipients) {
    const { handOver } = await import('../lib/sendmail/hand-over.ts');
    return await handOver(context, options, recipients);
  },
});
