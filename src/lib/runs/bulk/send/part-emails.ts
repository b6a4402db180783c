import type { SendBody } from '../../../../api/email.ts';
import type { Journal } from '../journal/journal.ts';
import type { Part, RowAddress } from '../journal/run-parts.ts';

/** The emails of a part, each with its position in its chunk, from 0, and its row in the input. */
export function emailsOf(part: Pick<Part, 'chunk' | 'positions' | 'size'>, journal: Journal) {
  const { chunk } = part;
  // Written by `prepare`.
  const emails = JSON.parse(journal.body(chunk).toString('utf8')) as SendBody[];
  const rows = chunk.rows();
  return positionsOf(part).flatMap((position) => {
    const email = emails[position];
    const [row] = rows[position] ?? [];
    return email === undefined || row === undefined ? [] : [{ position, row, email }];
  });
}

/** The positions of a part's emails in their chunk. */
export function positionsOf({
  positions,
  size,
}: Pick<Part, 'positions' | 'size'>): readonly number[] {
  return positions ?? Array.from({ length: size }, (_, index) => index);
}

/** The rows of a part's emails. */
export function partRows(part: Pick<Part, 'chunk' | 'positions' | 'size'>): RowAddress[] {
  const rows = part.chunk.rows();
  return positionsOf(part).flatMap((position) => {
    const row = rows[position];
    return row === undefined ? [] : [row];
  });
}

/** The emails of a part as a JSON array; for a whole chunk, the bytes that were prepared. */
export function jsonOf({ chunk, positions }: Part, journal: Journal): string | Buffer {
  const json = journal.body(chunk);
  if (positions === undefined) return json;
  // Written by `prepare`.
  const emails = JSON.parse(json.toString('utf8')) as unknown[];
  return JSON.stringify(positions.map((position) => emails[position]));
}
