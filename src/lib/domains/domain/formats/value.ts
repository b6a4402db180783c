import { visible } from '../../../base/text/visible.ts';
import type { WantedRecord } from '../dns/wanted-records.ts';
import { absoluteName } from './octets.ts';

/** The priority of an MX if the service gives none. */
export const defaultPriority = 10;

/** The value of a record as text; `ofText` writes the value of a TXT record in the way of each format. */
export function valueText(
  { type, value, priority = defaultPriority }: WantedRecord,
  ofText: (value: string) => string,
): string {
  switch (type) {
    case 'MX':
      return `${priority} ${absoluteName(value)}`;
    case 'CNAME':
      return absoluteName(value);
    case 'TXT':
      return ofText(value);
    default:
      return visible(value);
  }
}
