import { expect, test } from 'vitest';
import {
  expandMacros,
  parseMacros,
} from '../../../../src/lib/domains/mail-authentication/spf-macro.ts';

/** The values of the examples of RFC 7208, 7.4. */
const values = {
  ...{ s: 'strong-bad@email.example.com', l: 'strong-bad', o: 'email.example.com' },
  ...{ d: 'email.example.com', h: 'mail.example.com', i: '192.0.2.3', v: 'in-addr' },
};

function expanded(text: string): string | undefined {
  const macros = parseMacros(text, 'domain');
  if (typeof macros === 'string') throw new Error(macros);
  return expandMacros(macros, values);
}

test.each([
  ['%{s}', 'strong-bad@email.example.com'],
  ['%{o}', 'email.example.com'],
  ['%{d}', 'email.example.com'],
  ['%{d4}', 'email.example.com'],
  ['%{d2}', 'example.com'],
  ['%{d1}', 'com'],
  ['%{dr}', 'com.example.email'],
  ['%{d2r}', 'example.email'],
  ['%{l}', 'strong-bad'],
  ['%{l-}', 'strong.bad'],
  ['%{lr}', 'strong-bad'],
  ['%{lr-}', 'bad.strong'],
  ['%{l1r-}', 'strong'],
  ['%{ir}.%{v}._spf.%{d2}', '3.2.0.192.in-addr._spf.example.com'],
  ['%{lr-}.lp._spf.%{d2}', 'bad.strong.lp._spf.example.com'],
  ['%{ir}.%{v}.%{l1r-}.lp._spf.%{d2}', '3.2.0.192.in-addr.strong.lp._spf.example.com'],
  ['%{S}', 'strong-bad%40email.example.com'],
  ['%{h}%%%_%-', 'mail.example.com% %20'],
])('%s is %s', (text, value) => {
  expect(expanded(text)).toBe(value);
});

test('a text with a macro whose value is not known has no value', () => {
  expect(expanded('%{p}.%{d}')).toBeUndefined();
});
