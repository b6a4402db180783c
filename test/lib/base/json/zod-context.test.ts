import fc from 'fast-check';
import { expect, test } from 'vitest';
import { domain } from '../../../../src/api/domain.ts';
import { parseContext, replyParseContext } from '../../../../src/lib/base/json/zod-context.ts';

const wrong = fc.constantFrom<unknown>(null, 7, 'text', '', true, [], {}, [{}]);

/** An object with these properties, some of them missing or of another type. */
const nearly = (properties: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, right]) => [
        name,
        fc.oneof({ weight: 30, arbitrary: right }, wrong),
      ]),
    ),
    { requiredKeys: [] },
  );

const text = fc.string({ maxLength: 3 });
const record = { type: text, name: text, value: text, ttl: text, recommended: fc.boolean() };
const properties = { id: fc.nat(), name: text, status: text, unknown: wrong };

test('stopping at the first problem finds the same one, and valid input stays valid', () => {
  const whole = fc.record({
    ...properties,
    dnsRecords: fc.array(fc.record(record), { maxLength: 3 }),
  });
  const parts = nearly({
    ...properties,
    dnsRecords: fc.array(nearly(record), { maxLength: 3 }),
  });
  let valid = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(whole, parts), { maxLength: 4 }), (value) => {
      const schema = domain.array();
      const all = schema.safeParse(value, parseContext);
      const first = schema.safeParse(value, replyParseContext);
      expect(first.data).toEqual(all.data);
      expect(first.error?.issues[0]).toEqual(all.error?.issues[0]);
      if (first.success) valid++;
    }),
    { numRuns: 500 },
  );
  expect(valid).toBeGreaterThan(50);
  expect(valid).toBeLessThan(450);
});
