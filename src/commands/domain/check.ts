import { defineCommand } from '../../lib/command/command.ts';
import { documentOf } from '../../lib/command/prints.ts';
import { resolverOption } from '../../lib/domain/dns/resolver-flag.ts';
import { findDomain } from '../../lib/domain/find-domain.ts';
import { schemas } from '../../lib/json-schemas/load.ts';

export const command = defineCommand({
  description:
    'It compares DNS with the records that the service requires, without starting a verification. A record is correct only if receivers would use it: an SPF record with an error or more than ten look-ups, a revoked key, or a DMARC record without a valid policy is wrong. It asks every authoritative name server, so it sees no cached answers, unless --resolver names other servers, which are asked in turn.',
  effects: { reads: true },
  exits: {
    4: 'there is no such domain',
    9: 'a required record is missing, wrong, or could not be looked up',
  },
  prints: [
    documentOf('the records compared with DNS', schemas.dns('findings'), {
      line: schemas.dns('finding'),
    }),
  ],
  takes: ['service', 'sandbox', 'lists'],
  examples: [
    ['mailer domain check example.com', "Ask the domain's name servers for each record"],
    ['mailer domain check example.com --resolver 9.9.9.9', 'Ask a resolver of your choice'],
    ['mailer domain check example.com --json --fields fqdn,status,problem', 'For a script'],
  ],
  flags: (command) => command.argument('<domain>', 'id or name').addOption(resolverOption()),
  async run(context, options, named) {
    const { parseResolvers } = await import('../../lib/domain/dns/parse-resolvers.ts');
    const resolvers = parseResolvers(options.resolver);
    const domain = await findDomain(context, named);
    const [{ lookUpRecords }, { showFindings }] = await Promise.all([
      import('../../lib/domain/findings.ts'),
      import('../../lib/domain/show-findings.ts'),
    ]);
    return showFindings(await lookUpRecords(context, domain, resolvers));
  },
});
