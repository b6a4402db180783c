import type { Domain } from '../../../api/domain.ts';
import { UsageError } from '../../base/errors.ts';
import { choice } from '../../command-line/command/flags/choice.ts';
import type { CommonFlags } from '../../command-line/command/flags/common-flags.ts';
import { flagOf } from '../../command-line/output/format.ts';
import { registeredName } from './dns/dns-names.ts';
import { type WantedRecord, wantedRecords } from './dns/wanted-records.ts';
import { cloudflare } from './formats/cloudflare.ts';
import { plainJson } from './formats/json.ts';
import { route53 } from './formats/route53.ts';
import { terraform } from './formats/terraform.ts';
import { zoneFile } from './formats/zone.ts';

/** The formats of `domain records`; `table` is the default list. */
const pasteFormats = ['table', 'zone', 'terraform', 'cloudflare', 'route53', 'json'] as const;

export type PasteFormat = (typeof pasteFormats)[number];

/** The flag for one of them. */
export function formatFlag(text = 'format of the DNS records (default: table)') {
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
export function toPaste(domain: Domain, format: Exclude<PasteFormat, 'table'>): string {
  return recordsToPaste(wantedRecords(domain), registeredName(domain), format);
}

/** These records, ready to be pasted; `zone` is the zone they are in. */
export function recordsToPaste(
  records: readonly WantedRecord[],
  zone: string,
  format: Exclude<PasteFormat, 'table'>,
): string {
  const written = { zone: zoneFile, terraform, cloudflare, route53, json: plainJson }[format];
  return written(records, zone);
}
