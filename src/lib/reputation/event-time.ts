import type { ReputationEvent } from '../../api/reputation.ts';

/** When the state changed, in milliseconds since 1970; NaN when that cannot be read. */
export function timeOf({ createdAt }: ReputationEvent): number {
  return Date.parse(createdAt);
}
