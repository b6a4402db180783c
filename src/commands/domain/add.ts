import { defineCommand } from '../../lib/command-line/command/command.ts';
import {
  differs,
  existingNamed,
  ifMissingFlag,
} from '../../lib/command-line/command/names/if-missing.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { textResult } from '../../lib/command-line/output/result.ts';
import { newDomainName, regionFor, registerDomain } from '../../lib/domains/domain/add-domain.ts';
import { formatFlag, pasteFormat, toPaste } from '../../lib/domains/domain/paste-format.ts';
import { showDomain } from '../../lib/domains/domain/show-domain.ts';

export const command = defineCommand({
  description:
    'It prints the DNS records to publish, in any format of mailer domain records. The region is where the service sends from; on a terminal, the region of the newest domain is suggested. Services do not say why they reject a domain, so mailer checks whether the domain is already in the list.',
  effects: { changes: true },
  exits: {
    5: 'the domain exists already; with --if-missing: in another region',
    7: 'the service rejected it without a reason, or failed',
  },
  prints: [
    replyOf('domain.create', {
      columns: [
        'beingVerified',
        'error',
        'dkim',
        'spf',
        'dmarc',
        'lastChecked',
        'created',
        'updated',
      ],
    }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'times'],
  examples: {
    'mailer domain add example.com --region us-east-1': 'Add a domain, and show its DNS records',
    'mailer domain add example.com --region us-east-1 --format zone >> example.com.zone':
      'Print the records for a zone file',
  },
  flags: (command) =>
    command
      .argument('<name>', 'the domain, such as example.com')
      .option('--region <region>', 'where the service sends from, such as us-east-1')
      .addOption(formatFlag())
      .option(...ifMissingFlag),
  async run(context, options, given) {
    const format = pasteFormat(options.format, context.flags);
    const name = newDomainName(given);
    const region = await regionFor(context, options.region);
    const ifMissing = options.ifMissing === true && context.flags.dryRun !== true;
    const known = ifMissing
      ? existingNamed(await context.call('domain.list', {}), 'domain', name)
      : undefined;
    if (known?.region && known.region !== region) {
      const hint = `Nothing was added. To use it as it is: --region ${known.region}`;
      throw differs(known, 'domain', `but its region is ${known.region}`, hint);
    }
    const { domain, found } =
      known === undefined
        ? await registerDomain(context, { name, region })
        : { domain: known, found: false };
    const added = found
      ? `${domain.name} was added: it is in the list of domains, although the response was lost.`
      : `Added domain ${domain.name}.`;
    const note = [
      known === undefined ? added : `Domain ${domain.name} exists already. Nothing was added.`,
      `Publish its DNS records, then check them: ${nextCommand(context, 'domain', 'check', domain.name)}`,
      `To verify it: ${nextCommand(context, 'domain', 'verify', domain.name, '--wait')}`,
    ];
    const carriedOut = known === undefined ? { ids: [String(domain.id)] } : undefined;
    if (format === 'table') return { ...showDomain(domain), carriedOut, note };
    const text = toPaste(domain, format);
    context.notes.say(...note);
    return textResult({ reply: undefined, text, verbatim: true, carriedOut });
  },
});
