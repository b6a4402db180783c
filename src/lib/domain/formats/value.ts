import { visible } from '../../text/visible.ts';
import type { WantedRecord } from '../dns/wanted-records.ts';
import { absoluteName } from './octets.ts';

/** Of an MX for which the service names none. */
export const defaultPriority = 10;

/** The value of a record as text; `ofText` makes that of a TXT record, each format in its way. */
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
