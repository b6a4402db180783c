import { defineCommand } from '../../lib/command.ts';
import { readSendRequest } from '../../lib/email/send-body.ts';
import { addSendFlags } from '../../lib/email/send-flags.ts';
import { done } from '../../lib/output/result.ts';
import { withRepeatCommand } from '../../lib/repeat-command.ts';
import { timeInWords } from '../../lib/scheduled-time.ts';

export const command = defineCommand({
  writes: true,
  examples: [
    [
      'mailer email send --to ana@example.org --from hello@example.com --subject Hi --text Hello',
      'Send a plain email',
    ],
    [
      'mailer email send --to ana@example.org --template tmpl_welcome --var name=Ana --scheduled-at "tomorrow 9am"',
      'Send a template tomorrow morning',
    ],
    [
      'report | mailer email send --to ops@example.org --subject Report --text-file -',
      'Send what a program prints',
    ],
  ],
  flags: (command) =>
    addSendFlags(command).option(
      '--idempotency-key <key>',
      'send once under this key, however often it is repeated within 24 hours',
    ),
  async run(context, options) {
    const { body, nameOf, settled } = await readSendRequest(context, options);
    const idempotencyKey = options.idempotencyKey || undefined;
    try {
      const reply = await context.call('email.send', { body }, { idempotencyKey, nameOf });
      return done({
        reply,
        ids: [reply.emailId],
        message:
          body.scheduledAt === undefined
            ? `Accepted. To see what becomes of it: mailer email get ${reply.emailId}`
            : `Scheduled for ${await timeInWords(body.scheduledAt, context)}.`,
      });
    } catch (error) {
      throw withRepeatCommand(error, context, settled);
    }
  },
});
