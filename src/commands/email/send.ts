import { defineCommand } from '../../lib/command/command.ts';
import { expectFlag } from '../../lib/command/flags/expect-flag.ts';
import { waitStatuses } from '../../lib/email/outcome.ts';
import { waitFlags } from '../../lib/email/wait/wait-flags.ts';
import { addSendFlags, idempotencyKeyFlag } from '../../lib/email/write/send-flags.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation', 'times'],
  examples: [
    [
      'mailer email send --to ana@example.org --from hello@example.com --subject Hi --text Hello',
      'Send a plain email',
    ],
    [
      'mailer email send --to ana@example.org --template tmpl_welcome --var name=Ana --text "Welcome, Ana" --scheduled-at "tomorrow 9am"',
      'Send a template tomorrow morning',
    ],
    [
      'report | mailer email send --to ops@example.org --subject Report --text-file -',
      'Send what a program prints',
    ],
  ],
  offers: { '--wait': waitStatuses, '--in-reply-to': 'emails', '--from': 'senders' },
  flags: (command) =>
    addSendFlags(command)
      .option(...idempotencyKeyFlag)
      .option(...expectFlag)
      .option(...waitFlags.wait)
      .option(...waitFlags.waitTimeout)
      .option(...waitFlags.heartbeat),
  async run(context, options) {
    const { sendOrPreview } = await import('../../lib/email/send/send.ts');
    return await sendOrPreview(context, options);
  },
});
