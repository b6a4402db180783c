import { defineCommand } from '../../lib/command/command.ts';
import { idGiven } from '../../lib/command/names/last-made.ts';
import { replyOf } from '../../lib/command/prints.ts';
import { emailPage } from '../../lib/email/preview-page.ts';
import { showEmail } from '../../lib/email/show-email.ts';
import { listedIfUnreported } from '../../lib/email/wait/listed-if-unreported.ts';
import { type Waited, waitForEmail } from '../../lib/email/wait/wait.ts';
import { emailWait, waitFlag, waitFlags } from '../../lib/email/wait/wait-flags.ts';

export const command = defineCommand({
  description:
    'The history has the events of each recipient, oldest first. With --wait, it returns once the email is delivered to every recipient, copies included, or fails for one of them. If the response does not name the copies, they are read from the list of emails.',
  effects: { reads: true },
  exits: {
    4: 'there is no such email',
    9: 'with --wait: it failed, such as BOUNCED',
    10: 'with --wait: the wait timed out',
  },
  prints: [replyOf('email.get')],
  takes: ['service', 'sandbox', 'times'],
  examples: [
    ['mailer email get cm3k9x2f8000008l4', 'Show an email and what has happened to it'],
    ['mailer email get cm3k9x2f8000008l4 --wait=OPENED', 'Wait until it has been opened'],
    ['mailer email get @last --open', 'Show your last email in the browser'],
    ['mailer email get cm3k9x2f8000008l4 --json --fields emailEvents.status', 'Only the statuses'],
  ],
  offers: { id: 'emails' },
  flags: (command) =>
    command
      .argument('<id>', 'id of the email; @last for the last one sent here')
      .addOption(waitFlag())
      .option(...waitFlags.waitTimeout)
      .option(...waitFlags.heartbeat)
      .option('--open', 'also show it in the browser'),
  async run(context, options, given) {
    const emailId = await idGiven(context, 'email', given);
    const wait = emailWait(options);
    const { email, failure }: Waited =
      wait === undefined
        ? { email: await context.call('email.get', { params: { emailId } }) }
        : await waitForEmail(context, emailId, wait);
    if (email === undefined) throw failure;
    if (options.open === true) {
      const path = await context.system.openPage(emailPage([email], email.subject ?? email.id));
      context.notes.say(`Opened ${path}`);
    }
    const listed = await listedIfUnreported(context, email);
    return { ...showEmail(email, listed), failure };
  },
});
