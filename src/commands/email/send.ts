import { defineCommand } from '../../lib/command.ts';
import { readSendRequest } from '../../lib/email/send-body.ts';
import { addSendFlags } from '../../lib/email/send-flags.ts';
import { showEmail } from '../../lib/email/show.ts';
import { waitForSent, waitOptions, waitStatuses } from '../../lib/email/wait.ts';
import { nextCommand } from '../../lib/next-command.ts';
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
  offers: { '--wait': waitStatuses, '--in-reply-to': 'emails' },
  flags: (command) =>
    addSendFlags(command)
      .option(
        '--idempotency-key <key>',
        'send once under this key, however often it is repeated within 24 hours',
      )
      .option('--wait [status]', 'wait until it is delivered, or has this status')
      .option('--wait-timeout <duration>', 'how long to wait, such as 90s or 10m (default: 5m)'),
  async run(context, options) {
    const wait = await waitOptions(options);
    const { body, nameOf, settled } = await readSendRequest(context, options);
    const { idempotencyKey } = options;
    try {
      const reply = await context.call('email.send', { body }, { idempotencyKey, nameOf });
      if (wait !== undefined) return showEmail(await waitForSent(context, reply.emailId, wait));
      return done({
        reply,
        ids: [reply.emailId],
        message:
          body.scheduledAt === undefined
            ? `Accepted. To see what becomes of it: ${nextCommand(context, 'email', 'get', reply.emailId)}`
            : `Scheduled for ${await timeInWords(body.scheduledAt, context)}.`,
      });
    } catch (error) {
      throw withRepeatCommand(error, context, settled);
    }
  },
});
