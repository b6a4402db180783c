import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { resolverOption } from '../../lib/domains/domain/dns/resolver-flag.ts';
import { findDomain } from '../../lib/domains/domain/find-domain.ts';
import { formatFlag } from '../../lib/domains/domain/paste-format.ts';
import { failOnOption, ignoreOption } from '../../lib/mail/check/check-gate.ts';

export const command = defineCommand({
  description:
    'It compares DNS with the records that the service requires, without starting a verification. A record is correct only if receivers would use it: an SPF record with an error or more than ten look-ups, a revoked key, or a DMARC record without a valid policy is wrong. It asks every authoritative name server, so it sees no cached answers, unless --resolver names other servers, which are asked in turn. With --deep, it finds out whether receivers are likely to accept mail from a domain, of the account or any other: name servers, SPF with all includes, DKIM keys, DMARC with alignment, and the rules of Gmail, Yahoo and Outlook. Each finding has a code, the values in DNS, and the record to publish; docs/domain-check.md explains each code. The check asks only DNS, and needs no API key for domains that are not of the account.',
  effects: { reads: true },
  exits: {
    4: 'there is no such domain',
    7: 'DNS gave no answer to a question, and nothing is certainly wrong',
    9: 'a required record is missing or wrong; with --deep: a finding has the severity of --fail-on or above',
  },
  prints: [
    documentOf('the records compared with DNS', schemas.dnsFindings('findings'), {
      line: schemas.dnsFindings('finding'),
    }),
    documentOf('the findings', schemas.domainCheck('deepCheck'), {
      when: '--deep',
      line: schemas.domainCheck('domainFinding'),
      columns: ['publish'],
    }),
  ],
  takes: ['service', 'sandbox', 'lists'],
  examples: {
    'mailer domain check example.com': "Ask the domain's name servers for each record",
    'mailer domain check example.com --resolver 9.9.9.9': 'Ask a resolver of your choice',
    'mailer domain check example.com --json --fields fqdn,status,problem': 'For a script',
    'mailer domain check example.com --deep': 'Find out whether its mail is likely to be accepted',
    'mailer domain check --all --deep --fail-on warning': 'Every night, for all domains',
    'mailer domain check example.com --deep --format zone':
      'Print the DNS records that fix the findings',
  },
  quiet: 'only the names of records that are missing or wrong; with --deep, only the codes',
  flags: (command) =>
    command
      .argument('[domain...]', 'ids or names; several only with --deep')
      .addOption(resolverOption())
      .option('--deep', 'check whether receivers are likely to accept mail from it')
      .optionsGroup('With --deep:')
      .option('--all', 'check all domains of the account')
      .option('--from <address>', 'the sender, if its mail has another domain in From')
      .addOption(
        repeatableOption(
          '--selector <name>',
          'a DKIM selector, besides those of the account; repeat',
        ),
      )
      .addOption(failOnOption())
      .addOption(ignoreOption())
      .addOption(formatFlag('format of the records to publish, and nothing else')),
  async run(context, options, given) {
    // The argument is optional only because of --all.
    const asks = given.length === 0 && options.all !== true && context.prompts.possible;
    const named = asks ? [await chosen(context)] : given;
    const { parseResolvers } = await import('../../lib/domains/domain/dns/parse-resolvers.ts');
    const resolvers = parseResolvers(options.resolver);
    if (options.deep === true) {
      const { runDeep } = await import('../../lib/domains/domain/deep/run-deep.ts');
      return await runDeep(context, named, options, resolvers);
    }
    const extra = (['all', 'from', 'selector', 'failOn', 'ignore', 'format'] as const).find(
      (name) => options[name] !== undefined,
    );
    if (extra !== undefined) {
      throw new UsageError(`${extra === 'failOn' ? '--fail-on' : `--${extra}`} needs --deep`);
    }
    const [only, ...others] = named;
    if (only === undefined) throw new UsageError('Missing DOMAIN (id or name)');
    if (others.length > 0) throw new UsageError('Several domains can be checked only with --deep');
    const domain = await findDomain(context, only);
    const [{ lookUpRecords }, { showFindings }] = await Promise.all([
      import('../../lib/domains/domain/findings.ts'),
      import('../../lib/domains/domain/show-findings.ts'),
    ]);
    return showFindings(await lookUpRecords(context, domain, resolvers));
  },
});

async function chosen(context: Context): Promise<string> {
  const { choose } = await import('../../lib/command-line/command/ask/choose.ts');
  return await choose(context, 'domains');
}
