import { defineCommand } from '../../lib/command-line/command/command.ts';
import { askAndDelete, refuseUnasked } from '../../lib/command-line/command/delete-once.ts';
import { idGiven } from '../../lib/command-line/command/names/last-made.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { withSegment } from '../../lib/people/segment/find-segment.ts';

export const command = defineCommand({
  description: 'On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { deletes: true },
  exits: { 4: 'there is no such segment, or the service does not offer segments' },
  prints: [replyOf('segment.delete')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation'],
  examples: {
    'mailer segment delete Pro': 'Asks, then deletes it; the contacts stay',
    'mailer segment delete seg_pro --yes': 'In a script',
  },
  flags: (command) =>
    command.argument('<segment>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, given) {
    const named = await idGiven(context, 'segment', given);
    await refuseUnasked(
      context,
      (shown?: string) => question(shown ?? named),
      (within) => withSegment(within, named, async (id, segment) => shownAs(id, segment?.name)),
    );
    return await withSegment(context, named, (id, segment) => {
      // An id means little to the person who is asked.
      const shown = segment?.name ?? named;
      const asked = { id, question: question(shownAs(id, shown)), assumed: { success: true } };
      return askAndDelete(context, `segment ${shown}`, asked, (options) =>
        context.call('segment.delete', { params: { segmentId: id } }, options),
      );
    });
  },
});

function shownAs(id: string, name: string | null | undefined): string {
  return `${name ?? id} (id ${id})`;
}

function question(segment: string): string {
  return `This deletes segment ${segment}; its contacts stay. Delete it?`;
}
