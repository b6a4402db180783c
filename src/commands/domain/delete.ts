import { defineCommand } from '../../lib/command-line/command/command.ts';
import { deleteOnce } from '../../lib/command-line/command/delete-once.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { findDomain, withDomain } from '../../lib/domains/domain/find-domain.ts';

export const command = defineCommand({
  description:
    'Afterwards, nothing can be sent from the domain, and API keys that were restricted to it lose the restriction. On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { deletes: true },
  exits: { 4: 'there is no such domain' },
  prints: [replyOf('domain.delete')],
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: {
    'mailer domain delete example.com': 'Asks, then deletes it',
    'mailer domain delete 3 --yes': 'In a script',
  },
  flags: (command) => command.argument('<domain>', 'id or name'),
  async run(context, _options, named) {
    const { prompts } = context;
    // If no question can be asked, this throws before anything is looked up.
    if (!prompts.asks) await prompts.confirm(question(named), 'Nothing was deleted');
    return await withDomain(context, named, async ({ id, name }) => {
      if (prompts.asks) {
        // An id means little to the person who is asked.
        const shown = name ?? (await findDomain(context, named)).name;
        await prompts.confirm(question(`${shown} (id ${id})`), 'Nothing was deleted');
      }
      const { reply, gone } = await deleteOnce(
        `domain ${name ?? id}`,
        { id, success: true },
        (options) => context.call('domain.delete', { params: { id } }, options),
      );
      return done({ reply, ids: [String(id)], message: gone ?? `Deleted domain ${name ?? id}.` });
    });
  },
});

function question(which: string): string {
  return `This deletes domain ${which}: it can no longer send, and API keys restricted to it lose the restriction. Delete it?`;
}
