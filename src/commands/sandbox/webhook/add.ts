import { schemas } from '../../../json-schemas/load.ts';
import { defineCommand } from '../../../lib/command-line/command/command.ts';
import { repeatableOption } from '../../../lib/command-line/command/flags/repeatable.ts';
import { documentOf } from '../../../lib/command-line/command/prints.ts';
import { done } from '../../../lib/command-line/output/result.ts';
import { allowRemoteFlag } from '../../../lib/command-line/webhook/handler-url.ts';
import { secretFlag } from '../../../lib/command-line/webhook/secret.ts';
import { eventTypes } from '../../../shared/webhook/event-types.ts';

export const command = defineCommand({
  description:
    'Whenever the sandbox is running, it sends calls to this URL as a service does: six attempts, 5 seconds apart and then twice as long each time, by its clock. Without --events, it sends the 16 events that a service sends by itself; queued, failed, cancelled and suppressed emails only if they are named.',
  effects: { local: true },
  prints: [documentOf('the id', schemas.sandbox('webhookReply'))],
  takes: ['sandbox'],
  withoutAccount: true,
  quiet: 'only the id',
  offers: { '--events': eventTypes },
  examples: {
    'mailer sandbox webhook add localhost:3000/webhooks': 'Send calls to a handler',
    'mailer sandbox webhook add localhost:3000/webhooks --events email.suppressed --test':
      'Only about suppressed emails, and a test call at once',
  },
  flags: (command) =>
    command
      .argument('<url>', 'URL of the handler')
      .addOption(
        repeatableOption('--events <event>', 'only calls of this event; repeat', eventTypes),
      )
      .option('--test', 'send a call of webhook.test')
      .option(...secretFlag)
      .option(...allowRemoteFlag),
  async run(context, options, address) {
    const [{ openChosenAccount }, { webhooksGiven }] = await Promise.all([
      import('../../../local-service/chosen-account.ts'),
      import('../../../local-service/webhook-flags.ts'),
    ]);
    const { events, allowRemote, secretFile, test } = options;
    const flags = { urls: [address], flag: 'URL', events, eventsFlag: '--events', allowRemote };
    const given = await webhooksGiven(context, { ...flags, secretFile, temporary: false });
    const sandbox = await openChosenAccount(context);
    try {
      const ids = given.map((webhook) => sandbox.addWebhook(webhook, { test }));
      const [id = ''] = ids;
      return done({ reply: { id }, ids, message: 'The sandbox sends calls there while it runs.' });
    } finally {
      sandbox.close();
    }
  },
});
