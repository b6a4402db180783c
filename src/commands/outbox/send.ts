import { schemas } from '../../json-schemas/load.ts';
import { printedOfRun } from '../../json-schemas/printed-of-run.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';

export const command = defineCommand({
  description:
    'It sends exactly what a person has approved, once: if it is killed or loses its connection, run it again, and it sends what is left. An email has the digest of the entry as its idempotency key; a bulk run becomes a run like any other. The rules of the policy apply as to other commands, except approval, which is met.',
  effects: { mails: true, local: true },
  exits: {
    2: 'not approved, rejected, expired, changed on disk, of another account, or its time has passed; nothing was sent',
    4: 'there is no such entry',
    5: 'the campaign has changed since, or its start may have been carried out already; or another run or campaign sends the same by now',
    11: 'rows were rejected, or their outcome is unknown',
  },
  prints: [
    documentOf('the entry', schemas.outbox('outboxEntry')),
    ...printedOfRun.map((one) => ({ ...one, when: 'a bulk run' })),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: { 'mailer outbox send 3f0c2a9be41d7788': 'Send what was approved' },
  flags: (command) => command.argument('<entry>', 'its id in mailer outbox list'),
  async run(context, _options, id) {
    const { sendApproved } = await import('../../lib/runs/approved/send-approved.ts');
    return await sendApproved(context, id);
  },
});
