import { defineCommand } from '../../lib/command.ts';
import { withDomain } from '../../lib/domain/resolve.ts';
import { nextCommand } from '../../lib/next-command.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  writes: true,
  examples: [['mailer domain verify example.com', 'Have the DNS records looked at']],
  flags: (command) => command.argument('<domain>', 'id or name'),
  async run(context, _options, named) {
    return await withDomain(context, named, async ({ id, name }) => {
      const reply = await context.call('domain.verify', { params: { id } });
      return done({
        reply,
        ids: [String(id)],
        message: `The verification has started. To see what comes of it: ${nextCommand(context, 'domain', 'get', name ?? String(id))}`,
      });
    });
  },
});
