import { defineCommand } from '../../lib/command/command.ts';
import { rememberMade } from '../../lib/command/last-made.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { repeatCommand } from '../../lib/command/repeat-command.ts';
import { scheduledInWords } from '../../lib/command/scheduled-time.ts';
import { waitStatuses } from '../../lib/email/outcome.ts';
import { sentBy } from '../../lib/email/recipients.ts';
import { readSendRequest } from '../../lib/email/send-body.ts';
import { addSendFlags, idempotencyKeyFlag } from '../../lib/email/send-flags.ts';
import { showEmail } from '../../lib/email/show.ts';
import { waitForSent } from '../../lib/email/wait.ts';
import { emailWait, waitFlags } from '../../lib/email/wait-flags.ts';
import { MailerError } from '../../lib/errors.ts';
import { done } from '../../lib/output/result.ts';

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
  offers: { '--wait': waitStatuses, '--in-reply-to': 'emails' },
  flags: (command) =>
    addSendFlags(command)
      .option(...idempotencyKeyFlag)
      .option(...waitFlags.wait)
      .option(...waitFlags.waitTimeout),
  async run(context, options) {
    const wait = emailWait(options);
    const { body, nameOf, settled } = await readSendRequest(context, options);
    const { idempotencyKey } = options;
    try {
      const hintIfUnknown = repeatCommand(context, settled);
      const how = { idempotencyKey, nameOf, hintIfUnknown };
      const reply = await context.call('email.send', { body }, how);
      await rememberMade(context, 'email', reply.emailId);
      if (wait !== undefined) {
        const sent = { id: reply.emailId, ...sentBy(body) };
        const { email, failure } = await waitForSent(context, sent, wait);
        const ids = [sent.id];
        if (email === undefined) return done({ reply, ids, message: '', failure });
        return { ...showEmail(email), done: ids, failure };
      }
      return done({
        reply,
        ids: [reply.emailId],
        message:
          body.scheduledAt === undefined
            ? `Accepted. Check its status: ${nextCommand(context, 'email', 'get', reply.emailId)}`
            : await scheduledInWords(body.scheduledAt, context),
      });
    } catch (error) {
      if (!(error instanceof MailerError)) throw error;
      const { explainRefusal } = await import('../../lib/email/explain-refusal.ts');
      throw explainRefusal(error, body);
    }
  },
});
