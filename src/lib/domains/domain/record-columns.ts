import type { DnsRecord } from '../../../api/domain.ts';
import { type Column, status } from '../../command-line/output/result.ts';

/** The DNS records of a domain, with the service's names. */
export const recordColumns: readonly Column<DnsRecord>[] = [
  { field: 'type', header: 'Type' },
  { field: 'name', header: 'Name' },
  { field: 'value', header: 'Value' },
  { field: 'priority', header: 'Priority' },
  { field: 'ttl', header: 'TTL' },
  { field: 'status', header: 'Status', cell: (row) => status(row.status) },
  {
    field: 'recommended',
    header: 'Needed',
    inWords: true,
    cell: ({ recommended }) => (recommended === true ? 'recommended' : 'required'),
  },
];
