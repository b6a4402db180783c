import { defineCommand } from '../../lib/command/command.ts';
import { rowsOf } from '../../lib/command/prints.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { list } from '../../lib/output/result.ts';
import type { KeptCall } from '../../lib/webhook/webhook-shapes.ts';

export const command = defineCommand({
  description: 'The last 200 calls that webhook listen received, newest first.',
  effects: {},
  prints: [rowsOf('the calls', schemas.webhook('keptCall'))],
  takes: ['lists', 'times'],
  withoutAccount: true,
  examples: [['mailer webhook log', 'What webhook listen received']],
  flags: (command) => command,
  async run({ system }) {
    const [{ openKeptCalls }, { keptColumns }] = await Promise.all([
      import('../../lib/webhook/kept-calls.ts'),
      import('../../lib/webhook/show-kept.ts'),
    ]);
    return list<KeptCall>({
      pages: [{ rows: openKeptCalls(system).list() }],
      columns: keptColumns,
      id: ({ id }) => id,
      empty:
        'No calls were received. mailer webhook listen receives them; mailer sandbox webhook log has those of the sandbox.',
    });
  },
});
