import type { WantedRecord } from '../dns/wanted-records.ts';
import { absoluteName, asciiJson, quotedStrings } from './octets.ts';
import { recordSets } from './record-sets.ts';
import { valueText } from './value.ts';

/**
 * Records as the change batch of `aws route53 change-resource-record-sets`. They are created, not
 * upserted: Route 53 then refuses where something else is published under such a name and type,
 * which an upsert would replace without a word.
 */
export function route53(records: readonly WantedRecord[]): string {
  return asciiJson({
    Changes: recordSets(records).map((set) => ({
      Action: 'CREATE',
      ResourceRecordSet: {
        Name: absoluteName(set.fqdn),
        Type: set.type,
        TTL: set.ttl,
        ResourceRecords: set.records.map((record) => ({
          Value: valueText(record, (text) => quotedStrings(text, 8)),
        })),
      },
    })),
  });
}
