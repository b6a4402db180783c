import { localTime } from '../../base/text/local-time.ts';
import type { CellStyle } from '../output/cell-style.ts';
import { shownCell } from '../output/cells.ts';
import { type Column, time } from '../output/result.ts';
import type { KeptCall } from './webhook-shapes.ts';

export const keptColumns: readonly Column<KeptCall>[] = [
  {
    field: 'receivedAt',
    header: 'Received',
    cell: ({ receivedAt }) => time(receivedAt, { seconds: true }),
  },
  { field: 'id', header: 'Id' },
  { field: 'type', header: 'Event' },
  { field: 'attempt', header: 'Attempt' },
  { field: 'reason', header: 'Not valid' },
  { field: 'status', header: 'Status' },
  { field: 'milliseconds', header: 'ms' },
];

/** `10:00:05  email.bounced  200  12 ms  rcv_…` */
export function keptInLine(row: KeptCall, style: CellStyle): string {
  const at = localTime(new Date(row.receivedAt), style.timeZone, { seconds: true });
  const status = row.status ?? 'no response';
  const attempt = (row.attempt ?? 1) > 1 ? `attempt ${row.attempt}` : undefined;
  const cells = [row.type ?? 'no event', status, `${row.milliseconds} ms`, row.id];
  return [at, ...[...cells, attempt, row.reason].map((cell) => shownCell(cell, style))]
    .filter(Boolean)
    .join('  ');
}
