import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';
import type { KeptCall } from '../../lib/command-line/webhook/webhook-shapes.ts';

export const command = defineCommand({
  description:
    'Calls that webhook listen received, and calls that the sandbox sent, whose ids begin with call_: the last 200 of each, newest first. mailer sandbox webhook log shows the attempts of the latter, and when the next one is due.',
  effects: {},
  prints: [rowsOf('the calls', schemas.webhook('keptCall'))],
  takes: ['lists', 'times'],
  withoutAccount: true,
  examples: { 'mailer webhook log': 'What was received, and what the sandbox sent' },
  async run(context) {
    const [{ latestCalls }, { keptColumns }, { isChosenUsed }] = await Promise.all([
      import('../../lib/command-line/webhook/kept-calls.ts'),
      import('../../lib/command-line/webhook/show-kept.ts'),
      import('../../local-service/chosen-account.ts'),
    ]);
    return list<KeptCall>({
      pages: [{ rows: await latestCalls(context.system, isChosenUsed(context)) }],
      columns: keptColumns,
      id: ({ id }) => id,
      empty:
        'No calls yet. mailer webhook listen receives calls; mailer sandbox webhook add makes the sandbox send them.',
    });
  },
});
