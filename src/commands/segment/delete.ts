import { defineCommand } from '../../lib/command-line/command/command.ts';
import { deleteOnce } from '../../lib/command-line/command/delete-once.ts';
import { idGiven } from '../../lib/command-line/command/names/last-made.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { withSegment } from '../../lib/people/segment/find-segment.ts';

export const command = defineCommand({
  description: 'On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { deletes: true },
  exits: { 4: 'there is no such segment, or the service does not offer segments' },
  prints: [replyOf('segment.delete')],
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: {
    'mailer segment delete Pro': 'Asks, then deletes it; the contacts stay',
    'mailer segment delete seg_pro --yes': 'In a script',
  },
  flags: (command) =>
    command.argument('<segment>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, given) {
    const { prompts } = context;
    const named = await idGiven(context, 'segment', given);
    // If no question can be asked, this throws before anything is looked up.
    if (!prompts.asks) await prompts.confirm(question(named), 'Nothing was deleted');
    return await withSegment(context, named, async (segmentId, segment) => {
      // An id means little to the person who is asked.
      const shown = segment?.name ?? named;
      await prompts.confirm(question(`${shown} (id ${segmentId})`), 'Nothing was deleted');
      const { reply, gone } = await deleteOnce(`segment ${shown}`, { success: true }, (options) =>
        context.call('segment.delete', { params: { segmentId } }, options),
      );
      return done({ reply, ids: [segmentId], message: gone ?? `Deleted segment ${shown}.` });
    });
  },
});

function question(segment: string): string {
  return `This deletes segment ${segment}; its contacts stay. Delete it?`;
}
