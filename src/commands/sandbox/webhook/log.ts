import { schemas } from '../../../json-schemas/load.ts';
import { parseInteger } from '../../../lib/base/input/numbers.ts';
import { defineCommand } from '../../../lib/command-line/command/command.ts';
import { rowsOf } from '../../../lib/command-line/command/prints.ts';
import { list, time } from '../../../lib/command-line/output/result.ts';
import type { LoggedCall } from '../../../sandbox/model/webhooks.ts';

export const command = defineCommand({
  description:
    'The newest first, each with its attempts and the last response. Times are by the clock of the sandbox.',
  effects: {},
  prints: [rowsOf('the calls', schemas.sandbox('webhookCall'))],
  takes: ['lists', 'times', 'sandbox'],
  withoutAccount: true,
  examples: {
    'mailer sandbox webhook log': 'What was sent, and what came back',
    "mailer sandbox webhook log --jq '.[0].response'": 'The response to the newest call',
  },
  flags: (command) =>
    command.option(
      '--limit <n>',
      'at most so many (default: 50)',
      parseInteger('--limit', { min: 1 }),
    ),
  async run(context, { limit = 50 }) {
    const { openChosenAccount } = await import('../../../local-service/chosen-account.ts');
    const sandbox = await openChosenAccount(context);
    try {
      return list<LoggedCall>({
        pages: [{ rows: sandbox.webhookCalls(limit) }],
        columns: [
          {
            field: 'createdAt',
            header: 'Created',
            cell: ({ createdAt }) => time(createdAt, { seconds: true }),
          },
          { field: 'id', header: 'Id' },
          { field: 'type', header: 'Event' },
          { field: 'attempts', header: 'Attempts' },
          {
            field: 'delivered',
            header: 'Delivered',
            cell: (row) => (row.delivered ? 'yes' : 'no'),
          },
          { field: 'status', header: 'Status' },
          { field: 'dueAt', header: 'Next', cell: ({ dueAt }) => time(dueAt, { seconds: true }) },
        ],
        id: ({ id }) => id,
        empty: 'No calls were made. mailer sandbox webhook add adds a handler.',
      });
    } finally {
      sandbox.close();
    }
  },
});
