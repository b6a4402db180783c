import { askForValues } from '../../lib/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { rememberMade } from '../../lib/command/names/last-made.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { done } from '../../lib/output/result.ts';
import { withSegment } from '../../lib/segment/find.ts';
import { quantity } from '../../lib/text/quantity.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs'],
  examples: [
    [
      'mailer segment materialize Pro --name "Pro, March"',
      'Create a contact book from its contacts, for a campaign',
    ],
  ],
  flags: (command) =>
    command
      .argument('<segment>', 'id or exact name; @last for the last one created here')
      .option('--name <text>', 'name of the contact book to create'),
  async run(context, options, named) {
    const [name = ''] = await askForValues(
      [{ flag: '--name', question: 'Name of the contact book', value: options.name }],
      context.prompts,
    );
    const look = nextCommand(context, 'contact', 'book', 'list');
    const hintIfUnknown = `The contact book may have been created. Check before you run it again:\n${look}`;
    return await withSegment(context, named, async (segmentId) => {
      const reply = await context.call(
        'segment.materialize',
        { params: { segmentId }, body: { name } },
        { hintIfUnknown, nameOf: (field) => (field === 'name' ? '--name' : undefined) },
      );
      const { listId, count } = reply;
      await rememberMade(context, 'contact book', listId);
      const contacts = typeof count === 'number' ? ` with ${quantity(count, 'contact')}` : '';
      const send = nextCommand(context, 'campaign', 'create', '--book', listId);
      const message = `Created contact book ${name}${contacts}. To send to it: ${send}`;
      return done({ reply, ids: [listId], message });
    });
  },
});
