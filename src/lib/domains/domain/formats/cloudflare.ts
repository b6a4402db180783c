import type { WantedRecord } from '../dns/wanted-records.ts';
import { asciiJson, quotedStrings } from './octets.ts';
import { defaultPriority } from './value.ts';

/** Cloudflare's word for `Auto`. */
const automatic = 1;

/** Records for Cloudflare's `POST /zones/{zone_id}/dns_records/batch`, which creates all or none. */
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
