import fc from 'fast-check';
import type { History, RowKind } from './history.ts';
import type { Trouble } from './machine.ts';
import type { RequestTrouble } from './service.ts';

const kinds = fc.constantFrom<RowKind[]>('plain', 'template a', 'template b', 'alone', 'rejected');

const troubles = fc.constantFrom<Trouble[]>(
  ...(['kill', 'kill', 'tear', 'power, all lost', 'power, some lost', 'power, none lost'] as const),
  ...(['full', 'fails', 'twin', 'a day', 'kill, a day', 'power, a day'] as const),
);

const ofRequests = fc.constantFrom<RequestTrouble[]>(
  ...(['unreachable', 'cut', 'lost', 'late', 'twice', 'silence', 'fails', 'fails after'] as const),
  ...(['garbage after', 'bad gateway', 'busy', 'limit', 'conflict', 'quota', 'short'] as const),
);

/** Any history, which fast-check can make smaller. */
export const histories: fc.Arbitrary<History> = fc.record({
  seed: fc.integer({ min: 0, max: 0x7fffffff }),
  rows: fc.array(kinds, { minLength: 1, maxLength: 12 }),
  names: fc.constantFrom('in order', 'each alone'),
  concurrency: fc.integer({ min: 1, max: 4 }),
  retries: fc.integer({ min: 0, max: 2 }),
  troubles: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), troubles), { maxLength: 5 }),
  requests: fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), ofRequests), { maxLength: 6 }),
});
