import type { WantedRecord } from '../dns/wanted-records.ts';
import { absoluteName, characterStrings } from './octets.ts';
import { type RecordSet, recordSets } from './record-sets.ts';
import { valueText } from './value.ts';

/** Records as `aws_route53_record` resources of Terraform, in the hosted zone named `registered`. */
export function terraform(records: readonly WantedRecord[], registered: string): string {
  const zone = label(registered);
  const taken = new Map<string, number>();
  const resources = recordSets(records).map((set) => {
    const name = label(`${set.type}_${set.fqdn}`);
    const times = (taken.get(name) ?? 0) + 1;
    taken.set(name, times);
    return resource(set, times === 1 ? name : `${name}_${times}`, zone);
  });
  const lookUp = `data "aws_route53_zone" "${zone}" {\n  name = ${hcl(absoluteName(registered))}\n}\n`;
  return [lookUp, ...resources].join('\n');
}

function resource(set: RecordSet, name: string, zone: string): string {
  const note = set.records.every(({ required }) => required)
    ? ''
    : '# Recommended, not required for verification.\n';
  return `${note}resource "aws_route53_record" "${name}" {
  zone_id = data.aws_route53_zone.${zone}.zone_id
  name    = ${hcl(absoluteName(set.fqdn).slice(0, -1))}
  type    = ${hcl(set.type)}
  ttl     = ${set.ttl}
  records = [${set.records.map((record) => hcl(value(record))).join(', ')}]
}
`;
}

/** The provider adds quotes around the whole TXT value, so only those between strings are needed. */
function value(record: WantedRecord): string {
  return valueText(record, (text) => characterStrings(text, 8).join('""'));
}

/** A string literal in Terraform's language, in which `${` and `%{` would begin a template. */
function hcl(text: string): string {
  return JSON.stringify(text).replace(/[$%](?=\{)/g, (sign) => `${sign}${sign}`);
}

function label(text: string): string {
  const word = text.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  return /^[a-z_]/.test(word) ? word : `_${word}`;
}
