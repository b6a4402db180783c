import { schemas } from '../../json-schemas/load.ts';
import { parseChoice } from '../../lib/base/input/choice.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { textResult } from '../../lib/command-line/output/result.ts';
import { eventTypes } from '../../shared/webhook/event-types.ts';

export const command = defineCommand({
  description: 'It prints the JSON that a handler gets. Nothing is sent.',
  effects: {},
  prints: [documentOf('the body of a call', schemas.webhook('callBody'))],
  withoutAccount: true,
  offers: { event: eventTypes },
  examples: { 'mailer webhook example email.bounced': 'The body of a call about a bounce' },
  flags: (command) => command.argument('<event>', 'such as email.delivered'),
  async run({ system }, _options, word) {
    const event = parseChoice('EVENT', eventTypes)(word);
    const [{ exampleCall }, { callText }] = await Promise.all([
      import('../../lib/command-line/webhook/example-call.ts'),
      import('../../shared/webhook/call.ts'),
    ]);
    const body = callText(exampleCall(event, { now: system.now(), id: 'call_example' }));
    const reply: unknown = JSON.parse(body);
    return textResult({ reply, text: JSON.stringify(reply, null, 2) });
  },
});
