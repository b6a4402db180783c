import { defineCommand } from '../../lib/command.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  writes: true,
  examples: [['mailer email cancel cm3k9x2f8000008l4', 'Keep a scheduled email from going out']],
  offers: { id: 'scheduled emails' },
  flags: (command) => command.argument('<id>', 'id of a scheduled email'),
  async run(context, _options, emailId) {
    const reply = await context.call('email.cancel', { params: { emailId } });
    return done({ reply, ids: [reply.emailId], message: `Cancelled ${reply.emailId}.` });
  },
});
