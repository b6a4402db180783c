import { describe, expect, test } from 'vitest';
import { isSpf, parseSpf } from '../../../../src/lib/domains/mail-authentication/spf-record.ts';

test.each([
  ['v=spf1', true],
  ['V=SPF1 -all', true],
  ['v=spf10 -all', false],
  ['v=spf1\t-all', false],
  [' v=spf1 -all', false],
  ['"v=spf1 -all"', false],
])('isSpf(%j) is %j (RFC 7208, 4.5)', (text, expected) => {
  expect(isSpf(text)).toBe(expected);
});

test('terms have their qualifier, network and prefixes', () => {
  const { terms, errors } = parseSpf(
    'v=spf1  a:mail.example.com/28//64 ~ip4:192.0.2.0/24 ip6:2001:db8::/32 redirect=_spf.example.com',
  );
  expect(errors).toEqual([]);
  expect(terms).toMatchObject([
    {
      mechanism: 'a',
      qualifier: '+',
      domain: ['mail.example.com'],
      prefix4: 28,
      prefix6: 64,
    },
    { mechanism: 'ip4', qualifier: '~', network: [192, 0, 2, 0], prefix4: 24 },
    { mechanism: 'ip6', prefix6: 32 },
    { kind: 'modifier', name: 'redirect', value: ['_spf.example.com'] },
  ]);
});

describe('the grammar (RFC 7208, 5 to 7 and 12)', () => {
  test.each([
    'all',
    '-ALL',
    'include:_spf.example.com',
    'a',
    'a/0',
    'a//0',
    'a:%{d}/24',
    'a:foo:bar/baz.example.com',
    'mx:example.com.',
    'ptr:example.com',
    'ip4:192.0.2.1',
    'ip6:::1',
    'ip6:::ffff:192.0.2.1/96',
    'exists:%{ir}.%{l1r+-}._spf.%{d2}',
    'exists:%{S}.example.com',
    'exists:a%%b%_c%-.example.com',
    'exists:example.xn--p1ai',
    'redirect=%{d}',
    'exp=explain.example.com',
    'unknown=%{c}%{t}',
    'moo.cow-far_out=',
  ])('allows %s', (term) => {
    expect(parseSpf(`v=spf1 ${term}`)).toMatchObject({ terms: [{ text: term }], errors: [] });
  });

  test.each([
    ['all:example.com', 'all takes no value'],
    ['include', 'needs a domain'],
    ['include:', 'not a domain name'],
    ['include:example.com/24', 'not a domain name'],
    ['includes:example.com', 'no mechanism named'],
    ['a:', 'not a domain name'],
    ['a:museum', 'not a domain name'],
    ['a:192.0.2.1', 'not a domain name'],
    ['a/33', 'at most 32 bits'],
    ['a//129', 'at most 128 bits'],
    ['a/024', 'not a prefix length'],
    ['ptr/24', 'no prefix length'],
    ['ip4', 'not an IPv4 address'],
    ['ip4:192.0.2', 'not an IPv4 address'],
    ['ip4:192.0.2.01', 'not an IPv4 address'],
    ['ip4:192.0.2.1:25', 'not an IPv4 address'],
    ['ip4:192.0.2.1/33', 'from 0 to 32'],
    ['ip4:192.0.2.1//32', 'from 0 to 32'],
    ['ip4:2001:db8::1', 'not an IPv4 address'],
    ['ip6:2001:db8', 'not an IPv6 address'],
    ['ip6:2001:db8::1/0128', 'from 0 to 128'],
    ['exists:%{c}.example.com', 'only allowed in explanations'],
    ['exists:%{x}.example.com', 'unknown letter'],
    ['exists:%{d0}.example.com', 'keeps no part'],
    ['exists:%{d', 'does not start a macro'],
    ['exists:100%.example.com', 'does not start a macro'],
    ['redirect:example.com', 'no mechanism named'],
    ['redirect=', 'not a domain name'],
    ['=value', 'not the name of a modifier'],
    ['1up=value', 'not the name of a modifier'],
    ['include:exämple.com', 'visible ASCII'],
    ['"', 'no mechanism named'],
  ])('does not allow %s', (term, sentence) => {
    const { errors } = parseSpf(`v=spf1 mx ${term} -all`);
    expect(errors).toEqual([{ text: term, sentence: expect.stringContaining(sentence) }]);
  });

  test('redirect and exp may occur once, other modifiers any number of times', () => {
    const { errors } = parseSpf('v=spf1 a=1 a=2 redirect=a.example REDIRECT=b.example');
    expect(errors).toMatchObject([{ text: 'REDIRECT=b.example' }]);
  });
});
