import { schemas } from '../../../json-schemas/load.ts';
import { defineCommand } from '../../../lib/command-line/command/command.ts';
import { rowsOf } from '../../../lib/command-line/command/prints.ts';
import { list } from '../../../lib/command-line/output/result.ts';
import type { Webhook } from '../../../sandbox/model/webhooks.ts';

export const command = defineCommand({
  description: 'The handlers to which the sandbox sends calls, and how many calls each got.',
  effects: {},
  prints: [rowsOf('the handlers', schemas.sandbox('webhookRow'))],
  takes: ['lists', 'sandbox'],
  withoutAccount: true,
  examples: { 'mailer sandbox webhook list': 'Where calls go' },
  async run(context) {
    const { openChosenAccount } = await import('../../../local-service/chosen-account.ts');
    const sandbox = await openChosenAccount(context);
    try {
      return list<Webhook>({
        pages: [{ rows: sandbox.webhooks() }],
        columns: [
          { field: 'id', header: 'Id' },
          { field: 'url', header: 'URL', flexible: true },
          {
            field: 'events',
            header: 'Events',
            cell: ({ events }) => (events.length === 0 ? 'all' : events),
          },
          { field: 'enabled', header: 'On', cell: ({ enabled }) => (enabled ? 'yes' : 'no') },
          { field: 'delivered', header: 'Delivered' },
          { field: 'waiting', header: 'Waiting' },
          { field: 'failures', header: 'Failed in a row' },
        ],
        id: ({ id }) => id,
        empty: 'There are no handlers. mailer sandbox webhook add adds one.',
      });
    } finally {
      sandbox.close();
    }
  },
});
