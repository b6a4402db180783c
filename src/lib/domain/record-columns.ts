import type { DnsRecord } from '../../api/domain.ts';
import { type Column, status } from '../output/result.ts';

/** The DNS records of a domain, with the service's names. */
export const recordColumns: readonly Column<DnsRecord>[] = [
  { field: 'type', header: 'Type', cell: ({ type }) => type },
  { field: 'name', header: 'Name', cell: ({ name }) => name },
  { field: 'value', header: 'Value', cell: ({ value }) => value },
  { field: 'priority', header: 'Priority', cell: ({ priority }) => priority },
  { field: 'ttl', header: 'TTL', cell: ({ ttl }) => ttl },
  { field: 'status', header: 'Status', cell: (row) => status(row.status) },
  {
    field: 'recommended',
    header: 'Needed',
    inWords: true,
    cell: ({ recommended }) => (recommended === true ? 'recommended' : 'required'),
  },
];
