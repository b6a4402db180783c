import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';

export const command = defineCommand({
  description:
    'An entry that was approved can be rejected, too. The same email, run or campaign can be prepared again.',
  effects: { local: true },
  exits: { 2: 'it is sent, has begun, or has expired', 4: 'there is no such entry' },
  prints: [documentOf('the entry', schemas.outbox('outboxEntry'))],
  takes: ['sandbox', 'times'],
  examples: { 'mailer outbox reject 3f0c2a9be41d7788': 'Never send it' },
  flags: (command) => command.argument('<entry>', 'its id in mailer outbox list'),
  async run(context, _options, id) {
    const { rejectEntry } = await import('../../lib/command-line/outbox/decide.ts');
    return await rejectEntry(context, id);
  },
});
