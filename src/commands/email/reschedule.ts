import { UsageError } from '../../lib/base/errors.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import {
  scheduledInWords,
  scheduledTime,
} from '../../lib/command-line/command/flags/scheduled-time.ts';
import { idGiven } from '../../lib/command-line/command/names/last-made.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'The new time is in your time zone unless it has its own, and must be in the future unless --allow-past is given. The email must not have been sent yet.',
  effects: { changes: true },
  exits: { 1: 'the email is no longer scheduled', 4: 'there is no such email' },
  prints: [replyOf('email.reschedule')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'times'],
  examples: {
    'mailer email reschedule cm3k9x2f8000008l4 --scheduled-at "next monday 10:30"': 'Send it later',
  },
  offers: { id: 'scheduled emails' },
  flags: (command) =>
    command
      .argument('<id>', 'id of a scheduled email; @last for the last one sent here')
      .option('--scheduled-at <when>', 'new time: ISO 8601, "tomorrow 9am", 2h')
      .option('--allow-past', 'allow a time in the past, which sends at once'),
  async run(context, options, given) {
    if (given === '-') {
      throw new UsageError('email reschedule takes one id, and none from stdin', {
        hint: 'For each id on stdin: xargs -n 1 mailer email reschedule --scheduled-at TIME',
      });
    }
    const emailId = await idGiven(context, 'email', given);
    const [when = ''] = await askForValues(
      [{ flag: '--scheduled-at', question: 'New time', value: options.scheduledAt }],
      context.prompts,
    );
    const allowPast = options.allowPast === true;
    const scheduledAt = await scheduledTime(when, context, '--scheduled-at', allowPast);
    const reply = await reschedule(context, emailId, scheduledAt);
    return done({
      reply,
      ids: [reply.emailId],
      message: await scheduledInWords(scheduledAt, context),
    });
  },
});

/** Moves an email to another time, given in UTC. */
async function reschedule(context: Context, emailId: string, scheduledAt: string) {
  try {
    const input = { params: { emailId }, body: { scheduledAt } };
    return await context.call('email.reschedule', input);
  } catch (error) {
    const { explainRejected } = await import('../../lib/mail/email/no-longer-scheduled.ts');
    throw (await explainRejected(error, context, emailId)).error;
  }
}
