import type { RowDelivery } from '../../bulk/show/run-shapes.ts';
import { type Column, type ListResult, list, status } from '../../output/result.ts';
import { eventColumns } from '../found-columns.ts';

const columns: readonly Column<RowDelivery>[] = [
  { field: 'row', header: 'Row' },
  { field: 'to', header: 'To', flexible: true },
  { field: 'emailId', header: 'Id' },
  { field: 'status', header: 'Status', cell: (one) => status(one.status) },
  ...eventColumns,
];

/** The rows of a run with one of these statuses, in lower case. */
export function listDeliveries(
  rows: readonly RowDelivery[],
  wanted: readonly string[],
): ListResult {
  const words = new Set(wanted);
  return list<RowDelivery>({
    pages: [{ rows: rows.filter((one) => words.has(one.status.toLowerCase())) }],
    columns,
    id: ({ emailId, row }) => emailId ?? String(row),
    empty: 'No rows have this status.',
  });
}
