import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { createDomainRefresh, resolveDomain } from '../../lib/domains/domain/find-domain.ts';
import { showDomain } from '../../lib/domains/domain/show-domain.ts';

export const command = defineCommand({
  description: 'It lists the DNS records to publish before the domain can be verified.',
  effects: { reads: true },
  exits: { 4: 'there is no such domain' },
  prints: [replyOf('domain.get')],
  takes: ['service', 'sandbox', 'times'],
  examples: {
    'mailer domain get example.com': 'Show a domain and the DNS records to publish',
    'mailer domain get example.com --json --fields dnsRecords': 'Only the records',
  },
  flags: (command) => command.argument('<domain>', 'id or name'),
  async run(context, _options, named) {
    const { id } = await resolveDomain(context, named);
    return showDomain(await createDomainRefresh(context)(id));
  },
});
