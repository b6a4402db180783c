import type { WantedRecord } from '../dns/wanted-records.ts';
import { asciiJson, quotedStrings } from './octets.ts';
import { defaultPriority } from './value.ts';

/** Cloudflare's word for `Auto`. */
const automatic = 1;

/**
 * Records as the body of Cloudflare's `POST /zones/{zone_id}/dns_records/batch`: all are created,
 * or none when one of them cannot be.
 */
export function cloudflare(records: readonly WantedRecord[]): string {
  return asciiJson({
    posts: records.map((record) => ({
      type: record.type,
      name: record.fqdn,
      content: record.type === 'TXT' ? quotedStrings(record.value, 10) : record.value,
      ttl: record.ttl ?? automatic,
      ...(record.type === 'MX' ? { priority: record.priority ?? defaultPriority } : {}),
    })),
  });
}
