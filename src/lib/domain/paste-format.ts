import type { Domain } from '../../api/domain.ts';
import { choice } from '../command/flags/choice.ts';
import type { CommonFlags } from '../command/flags/common-flags.ts';
import { UsageError } from '../errors.ts';
import { flagOf } from '../output/format.ts';
import { registeredName } from './dns/dns-names.ts';
import { wantedRecords } from './dns/wanted-records.ts';

/** The formats of `domain records`; `table` is the default list. */
const pasteFormats = ['table', 'zone', 'terraform', 'cloudflare', 'route53', 'json'] as const;

type PasteFormat = (typeof pasteFormats)[number];

/** The flag for one of them. */
export function formatFlag() {
  const text = 'format of the DNS records (default: table)';
  return choice('--format <format>', pasteFormats, text, { ifEmpty: 'table' });
}

/** The format. Throws a `UsageError` if other flags contradict it. */
export function pasteFormat(asked: PasteFormat | undefined, flags: CommonFlags): PasteFormat {
  const format = asked ?? 'table';
  if (format === 'table') return format;
  const given = { ...flags, csv: flags.csvSafe ?? flags.csv };
  const other = (['json', 'jq', 'jsonl', 'csv', 'quiet', 'fields'] as const).find(
    (name) => given[name] !== undefined,
  );
  if (other !== undefined) {
    throw new UsageError(`--format ${format} and ${flagOf(other, flags)} cannot be used together`);
  }
  return format;
}

/** The records of a domain, ready to be pasted. Throws a `NotFoundError` if there are none. */
export async function toPaste(
  domain: Domain,
  format: Exclude<PasteFormat, 'table'>,
): Promise<string> {
  const records = wantedRecords(domain);
  switch (format) {
    case 'zone':
      return (await import('./formats/zone.ts')).zoneFile(records);
    case 'terraform':
      return (await import('./formats/terraform.ts')).terraform(records, registeredName(domain));
    case 'cloudflare':
      return (await import('./formats/cloudflare.ts')).cloudflare(records);
    case 'route53':
      return (await import('./formats/route53.ts')).route53(records);
    case 'json':
      return (await import('./formats/json.ts')).plainJson(records);
  }
}
