import { defineCommand } from '../../lib/command/command.ts';
import { deleteOnce } from '../../lib/command/delete-once.ts';
import { idGiven } from '../../lib/command/names/last-made.ts';
import { assertSuccess } from '../../lib/command/success.ts';
import { done } from '../../lib/output/result.ts';
import { withSegment } from '../../lib/segment/find.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [
    ['mailer segment delete Pro', 'Asks, then deletes it; the contacts stay'],
    ['mailer segment delete seg_pro --yes', 'In a script'],
  ],
  flags: (command) =>
    command.argument('<segment>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, given) {
    const named = await idGiven(context, 'segment', given);
    await context.prompts.confirm(
      `This deletes segment ${named}; its contacts stay. Delete it?`,
      'Nothing was deleted',
    );
    return await withSegment(context, named, async (segmentId) => {
      const { reply, gone } = await deleteOnce(`segment ${named}`, { success: true }, (options) =>
        context.call('segment.delete', { params: { segmentId } }, options),
      );
      assertSuccess(reply);
      return done({ reply, ids: [segmentId], message: gone ?? `Deleted segment ${named}.` });
    });
  },
});
