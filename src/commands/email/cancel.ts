import { defineCommand } from '../../lib/command/command.ts';
import type { Context } from '../../lib/command/context.ts';
import { idGiven } from '../../lib/command/names/last-made.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { replyOf } from '../../lib/command/prints.ts';
import { MailerError } from '../../lib/errors.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  description: 'The email must not have been sent yet.',
  effects: { changes: true },
  exits: { 1: 'the email is no longer scheduled', 4: 'there is no such email' },
  prints: [replyOf('email.cancel')],
  takes: ['service', 'sandbox', 'dry runs'],
  examples: { 'mailer email cancel cm3k9x2f8000008l4': 'Cancel a scheduled email' },
  offers: { id: 'scheduled emails' },
  flags: (command) =>
    command.argument('<id>', 'id of a scheduled email; @last for the last one sent here'),
  async run(context, _options, given) {
    const emailId = await idGiven(context, 'email', given);
    const reply = await cancel(context, emailId);
    return done({ reply, ids: [reply.emailId], message: `Cancelled email ${reply.emailId}.` });
  },
});

/** Cancels an email. A second cancel is rejected, so after a lost response the email's status decides. */
async function cancel(context: Context, emailId: string): Promise<{ readonly emailId: string }> {
  const look = nextCommand(context, 'email', 'get', emailId);
  const hintIfUnknown = `It may have been cancelled. Check its status: ${look}`;
  try {
    return await context.call('email.cancel', { params: { emailId } }, { hintIfUnknown });
  } catch (error) {
    const { explainRejected } = await import('../../lib/email/no-longer-scheduled.ts');
    const explained = await explainRejected(error, context, emailId);
    const isOpen = error instanceof MailerError && error.outcomeUnknown;
    if (isOpen && explained.status === 'CANCELLED') return { emailId };
    throw explained.error;
  }
}
