import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMailbox, mailboxParts } from '../../src/api/address.ts';

/** Of this length, one less or one more: the limit of a part. */
const around = (length: number, unit: string) =>
  fc.integer({ min: length - 1, max: length + 1 }).map((times) => unit.repeat(times));
const atom = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[\w!#$%&'*+/=?^`{|}~-]{1,5}$/) },
  fc.stringMatching(/^[\w.@ü\\[\]:;-]{0,5}$/),
  around(64, 'a'),
);
const label = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-zA-Z\d][a-zA-Z\d-]{0,5}[a-zA-Z\d]$/) },
  fc.stringMatching(/^[\wü\d.-]{0,4}$/),
  around(63, 'b'),
);
const dotted = (part: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(part, { minLength: 1, maxLength }).map((parts) => parts.join('.'));
const address = fc
  .tuple(dotted(atom, 3), dotted(label, 5))
  .map(([local, domain]) => `${local}@${domain}`);

test('a simple address, which a pattern recognises, is also valid after a name, which the parser reads', () => {
  const found = { simple: 0, other: 0 };
  fc.assert(
    fc.property(address, (value) => {
      const afterName = `Ana <${value}>`;
      expect(isMailbox(value)).toBe(isMailbox(afterName));
      expect(mailboxParts(value)?.address).toBe(mailboxParts(afterName)?.address);
      found[isMailbox(value) ? 'simple' : 'other']++;
    }),
    { numRuns: 800 },
  );
  expect(found.simple).toBeGreaterThan(100);
  expect(found.other).toBeGreaterThan(100);
});
