import fc from 'fast-check';
import { isBeyond } from './exhaustive.ts';
import type { ContactKind, EmailKind, History } from './history.ts';
import type { Trouble } from './machine.ts';
import type { RequestTrouble } from './service.ts';

const kinds = fc.constantFrom<EmailKind[]>(
  'plain',
  'template a',
  'template b',
  'alone',
  'rejected',
);

const contacts = fc.constantFrom<ContactKind[]>(
  ...(['new', 'changed', 'same', 'leaving', 'unsubscribed', 'pending', 'rejected'] as const),
);

const troubles = fc.constantFrom<Trouble[]>(
  ...(['kill', 'kill', 'tear', 'full', 'fails', 'twin', 'a day', 'kill, a day'] as const),
  ...(['power, all lost', 'power, some lost', 'power, none lost'] as const),
  ...(['power, content lost', 'power, a day'] as const),
);

const ofRequests = fc.constantFrom<RequestTrouble[]>(
  ...(['unreachable', 'cut', 'lost', 'late', 'slow', 'twice', 'silence', 'fails'] as const),
  ...(['fails after', 'garbage after', 'bad gateway', 'busy', 'limit'] as const),
  ...(['conflict', 'quota', 'short', 'works', 'works, 504', 'works, lost'] as const),
  ...(['works, short', 'much later', 'stands still'] as const),
);

/** The fields of all histories. A trouble may be planned for a request or step that never comes. */
const common = {
  seed: fc.integer({ min: 0, max: 0x7fffffff }),
  names: fc.constantFrom('in order', 'each alone'),
  retries: fc.integer({ min: 0, max: 2 }),
  pause: fc.constantFrom(0, 35, 75),
  troubles: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), troubles), { maxLength: 5 }),
  requests: fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), ofRequests), { maxLength: 6 }),
} as const;

/** Without what no program could keep its promises in. */
function withinPromises(history: History): History {
  return {
    ...history,
    requests: history.requests.filter(([, trouble]) => !isBeyond(history, trouble)),
  };
}

/** Any history of `email batch`, which fast-check can shrink. */
export const ofEmails: fc.Arbitrary<History> = fc
  .record({
    ...common,
    rows: fc.array(kinds, { minLength: 1, maxLength: 12 }),
    concurrency: fc.integer({ min: 1, max: 4 }),
    urls: fc.constantFrom('one', 'one', 'two'),
  })
  .map(withinPromises);

/** Any history of `contact import`. */
export const ofContacts: fc.Arbitrary<History> = fc
  .record({
    ...common,
    rows: fc.array(contacts, { minLength: 1, maxLength: 8 }),
    book: fc.constantFrom('asks' as const, 'open' as const),
    concurrency: fc.constant(1),
  })
  .map(withinPromises);
