import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';

export const command = defineCommand({
  description:
    'It shows who gets what, from which account, and what differs from the last approved entry. Then it asks for the number of recipients. Only a person can answer: it is an error without a terminal, or if a variable of an agent is set (AI_AGENT, CLAUDECODE, CODEX_SANDBOX, CURSOR_AGENT, GEMINI_CLI). No flag changes that. Nothing is sent.',
  effects: { reads: true, local: true },
  exits: {
    2: 'nobody can be asked, or the entry is decided, has expired, was changed or is of another account, or its time has passed',
    4: 'there is no such entry',
    5: 'the campaign has changed since, or another process is working on the entry',
  },
  prints: [documentOf('the entry', schemas.outbox('outboxEntry'))],
  takes: ['service', 'sandbox', 'times'],
  examples: { 'mailer outbox approve 3f0c2a9be41d7788': 'Approve what a program has prepared' },
  flags: (command) => command.argument('<entry>', 'its id in mailer outbox list'),
  async run(context, _options, id) {
    const { approveEntry } = await import('../../lib/command-line/outbox/decide.ts');
    return await approveEntry(context, id);
  },
});
