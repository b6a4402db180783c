import type { WantedRecord } from '../dns/wanted-records.ts';
import { absoluteName, asciiJson, quotedStrings } from './octets.ts';
import { recordSets } from './record-sets.ts';
import { valueText } from './value.ts';

/**
 * Records as a change batch for `aws route53 change-resource-record-sets`. It creates them: an upsert would
 * silently replace records of the same name and type, while Route 53 rejects a create.
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
