import { schemas } from '../../../json-schemas/load.ts';
import { NotFoundError } from '../../../lib/base/errors.ts';
import { defineCommand } from '../../../lib/command-line/command/command.ts';
import { documentOf } from '../../../lib/command-line/command/prints.ts';
import { done } from '../../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description: 'Calls that are waiting to be sent to it are deleted, too.',
  effects: { local: true },
  exits: { 4: 'there is no such handler' },
  prints: [documentOf('the id', schemas.sandbox('webhookReply'))],
  takes: ['sandbox'],
  withoutAccount: true,
  examples: { 'mailer sandbox webhook delete webhook_c0mhz5k2a8': 'Send no more calls there' },
  flags: (command) => command.argument('<id>', 'id from sandbox webhook list'),
  async run(context, _options, id) {
    const { openChosenAccount } = await import('../../../local-service/chosen-account.ts');
    const sandbox = await openChosenAccount(context);
    try {
      if (!sandbox.removeWebhook(id)) {
        throw new NotFoundError('There is no such handler.', {
          hint: 'mailer sandbox webhook list shows their ids.',
        });
      }
      return done({ reply: { id }, ids: [id], message: 'The sandbox sends no more calls there.' });
    } finally {
      sandbox.close();
    }
  },
});
