import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { expectFlag } from '../../lib/command-line/command/flags/expect-flag.ts';
import { documentOf, replyOf } from '../../lib/command-line/command/prints.ts';
import { emailTitles } from '../../lib/mail/email/titles.ts';
import { waitFlag, waitFlags } from '../../lib/mail/email/wait/wait-flags.ts';
import {
  addSendFlags,
  flagGroupsOfSend,
  idempotencyKeyFlag,
} from '../../lib/mail/email/write/send-flags.ts';

export const command = defineCommand({
  description:
    'The body is text, HTML or both, from flags, files or stdin, or a template stored by the service. The whole request is checked before it is sent. Each send has an idempotency key, so that it can be retried without being sent twice. If the outcome is unknown, the key and the command that repeats the send safely are printed; that command first looks for the email.',
  effects: { mails: true },
  exits: {
    5: 'the idempotency key was used for another email',
    9: 'with --wait: it failed, such as BOUNCED; with --check: a finding is an error',
    10: 'with --wait: the wait timed out',
  },
  prints: [
    replyOf('email.send', { columns: emailTitles }),
    replyOf('email.get', {
      when: '--wait',
      what: 'the last response to `GET /v1/emails/{emailId}`',
      columns: emailTitles,
    }),
    documentOf('the email as it would be sent', schemas.bulk('previewedEmail'), {
      when: '--preview',
      columns: emailTitles,
    }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'approval', 'confirmation', 'times', 'files'],
  examples: {
    'mailer email send --to ana@example.org --from hello@example.com --subject Hi --text Hello':
      'Send a plain email',
    'mailer email send --to ana@example.org --template tmpl_welcome --var name=Ana --text "Welcome, Ana" --scheduled-at "tomorrow 9am"':
      'Send a template tomorrow morning',
    'report | mailer email send --to ops@example.org --subject Report --text-file -':
      'Send what a program prints',
  },
  offers: { '--in-reply-to': 'emails', '--from': 'senders' },
  flags: (command) =>
    addSendFlags(command)
      .option(...expectFlag)
      .option(...waitFlags.heartbeat)
      .optionsGroup(flagGroupsOfSend.safety)
      .option(...idempotencyKeyFlag)
      .optionsGroup(flagGroupsOfSend.output)
      .addOption(waitFlag())
      .option(...waitFlags.waitTimeout),
  async run(context, options) {
    const { sendOrPreview } = await import('../../lib/mail/email/send/send.ts');
    return await sendOrPreview(context, options);
  },
});
