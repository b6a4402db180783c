import { defineCommand } from '../../lib/command/command.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { newDomainName, regionFor, registerDomain } from '../../lib/domain/add.ts';
import { pasteFormat, pasteFormats, toPaste } from '../../lib/domain/paste-format.ts';
import { showDomain } from '../../lib/domain/show.ts';
import { textResult } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'times'],
  examples: [
    ['mailer domain add example.com --region us-east-1', 'Add a domain, and show its DNS records'],
    [
      'mailer domain add example.com --region us-east-1 --format zone >> example.com.zone',
      'Print the records for a zone file',
    ],
  ],
  offers: { '--format': pasteFormats },
  flags: (command) =>
    command
      .argument('<name>', 'the domain, such as example.com')
      .option('--region <region>', 'where the service sends from, such as us-east-1')
      .option(
        '--format <format>',
        `the DNS records as ${pasteFormats.join(', ')} (default: table)`,
      ),
  async run(context, options, given) {
    const format = pasteFormat(options.format, context.flags);
    const name = newDomainName(given);
    const region = await regionFor(context, options.region);
    const { domain, found } = await registerDomain(context, { name, region });
    const note = [
      found
        ? `${domain.name} was added: it is in the list of domains, although the response was lost.`
        : `Added domain ${domain.name}.`,
      `Publish its DNS records, then check them: ${nextCommand(context, 'domain', 'check', domain.name)}`,
      `To verify it: ${nextCommand(context, 'domain', 'verify', domain.name, '--wait')}`,
    ];
    const carriedOut = { ids: [String(domain.id)] };
    if (format === 'table') return { ...showDomain(domain), carriedOut, note };
    const text = await toPaste(domain, format);
    context.notes.say(...note);
    return textResult({ reply: undefined, text, verbatim: true, carriedOut });
  },
});
