import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import type { OutboxEntry } from '../../lib/command-line/outbox/outbox-shapes.ts';
import { list } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'An entry is what a command would have sent: with --for-approval, or because of the rule approval of the policy. It can be approved and sent for a day, and is listed for another one. docs/outbox.md explains it.',
  effects: {},
  prints: [rowsOf('the entries, newest first', schemas.outbox('outboxEntry'))],
  takes: ['sandbox', 'lists', 'times'],
  withoutAccount: true,
  examples: {
    'mailer outbox list': 'What waits for approval',
    'mailer outbox list --jq \'map(select(.state == "pending"))\'': 'The same, for a script',
  },
  async run(context) {
    const [{ outboxOf }, { entryColumns }] = await Promise.all([
      import('../../lib/command-line/outbox/outbox-store.ts'),
      import('../../lib/command-line/outbox/show-entry.ts'),
    ]);
    const { shown, newer } = (await outboxOf(context)).list();
    for (const { message, details } of newer) {
      context.notes.warn(message, ...[details.hint ?? []].flat());
    }
    return list<OutboxEntry>({
      pages: [{ rows: shown }],
      columns: entryColumns,
      id: ({ id }) => id,
      empty: newer.length === 0 ? 'The outbox is empty.' : 'The outbox has no other entry.',
    });
  },
});
