import type { SendBody } from '../../../api/email.ts';
import type { BodyReader } from '../journal/bodies.ts';
import type { Part } from '../journal/journal.ts';
import { positionsOf } from './named-rows.ts';

export interface EmailOfPart {
  /** In its chunk, from 0. */
  readonly position: number;
  /** In the input. */
  readonly row: number;
  readonly email: SendBody;
}

/** The emails of a part. */
export function emailsOf(
  part: Pick<Part, 'chunk' | 'positions'>,
  bodies: BodyReader,
): EmailOfPart[] {
  const { chunk } = part;
  // Written by `prepare`.
  const emails = JSON.parse(bodies.read(chunk).toString('utf8')) as SendBody[];
  return positionsOf(part).flatMap((position) => {
    const email = emails[position];
    const [row] = chunk.rows[position] ?? [];
    return email === undefined || row === undefined ? [] : [{ position, row, email }];
  });
}
