import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { segmentOperators } from '../../../../src/api/segment.ts';
import { conditionText, parseCondition } from '../../../../src/lib/people/segment/where.ts';

describe('a condition', () => {
  test.each([
    ['plan=pro', 'plan', 'eq', 'pro'],
    [' plan = pro ', 'plan', 'eq', 'pro'],
    ['plan!=pro', 'plan', 'neq', 'pro'],
    ['city~New York', 'city', 'contains', 'New York'],
    ['city="New York, \\"NY\\""', 'city', 'eq', 'New York, "NY"'],
    ['plan=""', 'plan', 'eq', ''],
    ['plan in pro,team', 'plan', 'in', ['pro', 'team']],
    ['plan in pro , "a, b",c', 'plan', 'in', ['pro', 'a, b', 'c']],
    ['"first order"=2026', 'first order', 'eq', '2026'],
    ['in=x', 'in', 'eq', 'x'],
    ['formula=a=b', 'formula', 'eq', 'a=b'],
    ['formula="=a"', 'formula', 'eq', '=a'],
    ['note=a<b', 'note', 'eq', 'a<b'],
    ['"a>"=b', 'a>', 'eq', 'b'],
    ['größe~ß', 'größe', 'contains', 'ß'],
  ] as const)('%s', (text, field, op, value) => {
    expect(parseCondition(text)).toEqual({ field, op, value });
  });

  test.each([
    ['', 'has no field before the operator'],
    ['=pro', 'has no field before the operator'],
    ['plan', 'has no operator: =, !=, ~ or in'],
    ['plan>3', 'has no operator: =, !=, ~ or in'],
    ...['total>=100', 'total<= 100', 'plan==pro', 'total=>100', 'plan=~pro', 'plan!==pro'].map(
      (text): [string, string] => [text, 'has an operator other than =, !=, ~ and in'],
    ),
    ['plan=', 'has no value; "" is an empty one'],
    ['plan in ', 'has no value; "" is an empty one'],
    ['plan in pro,,team', 'has no value; "" is an empty one, after plan in pro,'],
    ['plan in pro,', 'has no value; "" is an empty one'],
    ['plan="pro', 'has no closing quote, after plan='],
    ['plan="pro"x', 'continues after the closing quote, after plan="pro"'],
    ['plan=p"ro', 'has a quote inside a value without quotes'],
  ])('%s is an error that says what is wrong', (text, message) => {
    expect(() => parseCondition(text)).toThrow(`--where: ${JSON.stringify(text)} ${message}`);
  });

  test('can be written and read again, whatever it contains', () => {
    const text = fc.string({ unit: 'grapheme' });
    const field = fc.string({ unit: 'grapheme', minLength: 1 });
    const one = fc.record({ field, op: fc.constantFrom('eq', 'neq', 'contains'), value: text });
    const several = fc.record({
      ...{ field, op: fc.constant('in'), value: fc.array(text, { minLength: 1, maxLength: 3 }) },
    });
    fc.assert(
      fc.property(fc.oneof(one, several), (condition) => {
        expect(parseCondition(conditionText(condition))).toEqual(condition);
      }),
    );
    expect(segmentOperators).toHaveLength(4);
  });

  test("with a service's unknown operators is still shown", () => {
    expect(conditionText({ field: 'age', op: 'gt', value: 3 })).toBe('age gt 3');
    expect(conditionText({})).toBe('""  ""');
  });
});
