import type { DnsRecord } from '../../api/domain.ts';
import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { list, textResult } from '../../lib/command-line/output/result.ts';
import { dnsName, registeredName } from '../../lib/domains/domain/dns/dns-names.ts';
import { wantedRecords } from '../../lib/domains/domain/dns/wanted-records.ts';
import { findDomain } from '../../lib/domains/domain/find-domain.ts';
import { formatFlag, pasteFormat, toPaste } from '../../lib/domains/domain/paste-format.ts';
import { recordColumns } from '../../lib/domains/domain/record-columns.ts';

export const command = defineCommand({
  description:
    'The formats are a zone file, Terraform, the request bodies of Cloudflare and Route 53, and JSON with full names. Without --format, the records are shown as the service returns them.',
  effects: { reads: true },
  exits: { 4: 'there is no such domain' },
  prints: [
    rowsOf(
      'the DNS records of the domain, unmodified; the output of `--format` has no schema',
      schemas.domains('dnsRecord'),
    ),
  ],
  takes: ['service', 'sandbox', 'lists'],
  examples: {
    'mailer domain records example.com': 'The records as the service names them',
    'mailer domain records example.com --format zone >> example.com.zone': 'For a zone file',
    'mailer domain records example.com --format terraform > mail.tf':
      'aws_route53_record resources',
    'mailer domain records example.com --format route53 | aws route53 change-resource-record-sets --hosted-zone-id ID --change-batch file:///dev/stdin':
      'Create them at Route 53',
    'mailer domain records example.com --format cloudflare | curl -H "Authorization: Bearer $TOKEN" --json @- https://api.cloudflare.com/client/v4/zones/ID/dns_records/batch':
      'Create them at Cloudflare',
  },
  flags: (command) => command.argument('<domain>', 'id or name').addOption(formatFlag()),
  async run(context, options, named) {
    const format = pasteFormat(options.format, context.flags);
    const domain = await findDomain(context, named);
    if (format !== 'table') {
      const text = toPaste(domain, format);
      return textResult({ reply: undefined, text, verbatim: true });
    }
    const relative = wantedRecords(domain).some(({ name, fqdn }) => dnsName(name) !== fqdn);
    const { dnsRecords } = domain;
    return list<DnsRecord>({
      pages: [{ rows: dnsRecords }],
      columns: recordColumns,
      id: ({ name }) => name,
      stacked: true,
      empty: '',
      note: () => (relative ? `Names are relative to ${registeredName(domain)}.` : undefined),
    });
  },
});
