import { expect, test } from 'vitest';
import { grouped } from '../../../../src/lib/base/text/quantity.ts';

test.each([
  0, 7, 10, 999, 1000, 1001, 12_345, 999_999, 1_000_000, 123_456_789, 9_007_199_254_740_991, -1,
  -1000, -123_456,
])('%s has commas where English has them', (number) => {
  expect(grouped(number)).toBe(number.toLocaleString('en'));
});

test('a fraction is left out', () => {
  expect(grouped(1234.5678)).toBe('1,234');
});
