import { defineCommand } from '../../lib/command-line/command/command.ts';
import { askAndDelete, refuseUnasked } from '../../lib/command-line/command/delete-once.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { domainUseInWords } from '../../lib/domains/domain/domain-use.ts';
import { findDomain, withDomain } from '../../lib/domains/domain/find-domain.ts';

export const command = defineCommand({
  description:
    'Afterwards, nothing can be sent from the domain, and API keys that were restricted to it lose the restriction. On a terminal, it asks first, and says how many unsent campaigns and scheduled emails of the domain it finds; elsewhere, it needs --yes.',
  effects: { deletes: true },
  exits: { 4: 'there is no such domain' },
  prints: [replyOf('domain.delete')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation'],
  examples: {
    'mailer domain delete example.com': 'Asks, then deletes it',
    'mailer domain delete 3 --yes': 'In a script',
  },
  flags: (command) => command.argument('<domain>', 'id or name'),
  async run(context, _options, named) {
    const isAsked = await refuseUnasked(
      context,
      (use?: string) => question(named, use ?? ''),
      async (within) => domainUseInWords(within, await findDomain(within, named)),
    );
    return await withDomain(context, named, async ({ id, name }) => {
      // An id means little to the person who is asked.
      const found = isAsked ? await findDomain(context, named) : undefined;
      const use = found === undefined ? '' : await domainUseInWords(context, found);
      const asked = {
        question: question(`${found?.name ?? name ?? id} (id ${id})`, use),
        id,
        assumed: { id, success: true },
      };
      return await askAndDelete(context, `domain ${name ?? id}`, asked, (options) =>
        context.call('domain.delete', { params: { id } }, options),
      );
    });
  },
});

function question(which: string, use: string): string {
  return [
    `This deletes domain ${which}: it can no longer send, and API keys restricted to it lose the restriction.`,
    use,
    'Delete it?',
  ]
    .filter(Boolean)
    .join(' ');
}
