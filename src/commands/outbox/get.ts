import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';

export const command = defineCommand({
  description:
    'With --json, it also has the request that is sent. A bulk run has its emails in a journal.',
  effects: {},
  exits: { 2: 'no id, or an entry that was changed on disk', 4: 'there is no such entry' },
  prints: [documentOf('the entry', schemas.outbox('outboxDetail'))],
  takes: ['sandbox', 'times'],
  withoutAccount: true,
  examples: {
    'mailer outbox get 3f0c2a9be41d7788': 'Who gets what',
    'mailer outbox get 3f0c2a9be41d7788 --jq .request.body': 'The email that would be sent',
  },
  flags: (command) => command.argument('<entry>', 'its id in mailer outbox list'),
  async run(context, _options, id) {
    const [{ detailOf, outboxOf }, { showEntry }] = await Promise.all([
      import('../../lib/command-line/outbox/outbox-store.ts'),
      import('../../lib/command-line/outbox/show-entry.ts'),
    ]);
    const entry = detailOf((await outboxOf(context)).get(id));
    return { ...showEntry(context, entry), carriedOut: undefined };
  },
});
