import type { BodyReader } from '../bulk/journal/bodies.ts';
import type { Part } from '../bulk/journal/run-parts.ts';
import { positionsOf } from '../bulk/send/part-emails.ts';

/** A contact as an import sends it: a new one, or the changed fields. */
export interface ImportedContact {
  /** Present if the contact is changed by a separate PATCH. */
  readonly id?: string;
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly subscribed?: boolean | undefined;
  readonly properties?: Readonly<Record<string, string>>;
}

/** A contact of a chunk, and its position there. */
export interface PlacedContact {
  readonly position: number;
  readonly contact: ImportedContact;
}

/** The contacts of a part, or those at `positions` in its chunk. */
export function contactsOf(
  part: Pick<Part, 'chunk' | 'positions' | 'size'>,
  bodies: BodyReader,
  positions: readonly number[] = positionsOf(part),
): PlacedContact[] {
  // Written by `createComparison`.
  const contacts = JSON.parse(bodies.read(part.chunk).toString('utf8')) as ImportedContact[];
  const placed: PlacedContact[] = [];
  for (const position of positions) {
    const contact = contacts[position];
    if (contact !== undefined) placed.push({ position, contact });
  }
  return placed;
}
