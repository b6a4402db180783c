import type { WantedRecord } from '../dns/wanted-records.ts';
import { asciiJson } from './octets.ts';

/** Records as JSON for the user's own programs: full names, numbers as numbers, null for `Auto`. */
export function plainJson(records: readonly WantedRecord[]): string {
  return asciiJson(
    records.map(({ type, fqdn, value, priority = null, ttl = null, required }) => ({
      type,
      fqdn,
      value,
      priority,
      ttl,
      required,
    })),
  );
}
