import { expect, test } from 'vitest';
import { maskKey, parseApiKey } from '../../../src/lib/account/api-key.ts';

test('a key is masked but for its ends, a short one entirely', () => {
  expect(maskKey('us_0123456789wxyz')).toBe('us_…wxyz');
  expect(maskKey('0123456789abcdef')).toBe('012…cdef');
  expect(maskKey('0123456789abcde')).toBe('****');
  expect(maskKey('')).toBe('****');
});

test('white space around a key is not part of it', () => {
  expect(parseApiKey('\n us_0123456789\r\n', 'stdin')).toBe('us_0123456789');
  expect(parseApiKey('x'.repeat(512), 'stdin')).toHaveLength(512);
});

test.each([
  [''],
  [' \n'],
  ['a b'],
  ['a\tb'],
  ['a\nb'],
  ['a\u0000b'],
  ['schlüssel'],
  ['x'.repeat(513)],
])('refuses %j', (text) => {
  expect(() => parseApiKey(text, 'stdin')).toThrow(/^stdin: /);
});
