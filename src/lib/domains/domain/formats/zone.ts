import type { WantedRecord } from '../dns/wanted-records.ts';
import { absoluteName, quotedStrings } from './octets.ts';
import { valueText } from './value.ts';

/** Records as lines of a zone file (RFC 1035, 5), with absolute names; `Auto` leaves the TTL to `$TTL`. */
export function zoneFile(records: readonly WantedRecord[]): string {
  return records.map(zoneLine).join('');
}

function zoneLine(record: WantedRecord): string {
  const note = record.required ? '' : '; recommended, not required for verification\n';
  const value = valueText(record, (text) => quotedStrings(text, 10));
  const words = [absoluteName(record.fqdn), record.ttl, 'IN', record.type, value];
  return `${note}${words.filter((word) => word !== undefined).join(' ')}\n`;
}
