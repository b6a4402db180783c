import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  comparedAddress,
  isAmong,
  isMailboxAmong,
  parsePattern,
  parsePatterns,
} from '../../../../src/lib/service/policy/pattern.ts';

function isLike(pattern: string, mailbox: string): boolean {
  const address = comparedAddress(mailbox);
  return address !== undefined && isAmong(address, parsePatterns([pattern], 'allow-to'));
}

describe('a pattern', () => {
  test.each([
    ['ana@example.com', 'ana@example.com'],
    ['ana@example.com', '"Ana, B" <ANA@Example.COM>'],
    ['*@example.com', 'ana+news@example.com'],
    ['a*a@*.example.*', 'ana@mail.example.org'],
    ['*@*', 'ana@example.com'],
    ['*@bücher.de', 'ana@xn--bcher-kva.de'],
    ['ANA@EXAMPLE.com', 'ana@example.com'],
    ['*@MA*.EXAMPLE.com', 'ana@mail.example.com'],
    ['*@xn--bcher-kva.de', 'ana@BÜCHER.de'],
    ['jos\u0065\u0301@example.com', 'jos\u00e9@example.com'],
  ])('%s means %s', (pattern, mailbox) => {
    expect(isLike(pattern, mailbox)).toBe(true);
  });

  test.each([
    ['ana@example.com', 'ana@example.com.evil.org'],
    ['*@example.com', 'ana@mail.example.com'],
    ['*@example.com', 'ana@notexample.com'],
    ['*@example.com', 'ana@example.com@evil.org'],
    ['*@example.com', '"ana@example.com"@evil.org'],
    ['*@example.com', 'ana@example.com <ana@evil.org>'],
    ['*@example.com', '"ana"@example.com'],
    ['*@example.com', 'ana@example.com\nBcc: x@evil.org'],
    ['*@example.com', 'x@evil.org, ana@example.com'],
    ['*@*.example.com', 'ana@example.com'],
    ['*@*', 'ana@[127.0.0.1]'],
    ['a*a@example.com', 'a@example.com'],
    ['a*@example.com', 'bana@example.com'],
    ['*a@example.com', 'anab@example.com'],
    ['a*b*a@example.com', 'aca@example.com'],
    ['*ab*ab@example.com', 'ab@example.com'],
    ['*@example.com', 'ana@exаmple.com'],
  ])('%s does not mean %s', (pattern, mailbox) => {
    expect(isLike(pattern, mailbox)).toBe(false);
  });

  test.each([
    ...['example.com', '@example.com', '*', 'a b@example.com', 'ana@', 'ana@a..b', 'a@b@c'],
    ...["'*@example.com'", '*@example.com;', `*@\${DOMAIN}`, '*@a_b.com', '*@to=example.com'],
    ...['*@example.com.', '*@.example.com', '*@-a.com', '*@a-.com', '*@-*.com', '*@a，b.com'],
    ...['*@1.2.3.4', '*@*.0x7f', '*@[1.2.3.4]', '*@*bücher.de', `*@${'a'.repeat(64)}.com`],
    ...['.a@example.com', 'a..b@example.com', '[a]@example.com', `${'a'.repeat(65)}@example.com`],
    ...[
      '“ana@example.com”',
      'ana@example.com™',
      '→ana@example.com',
      '*”@example.com',
      '«*@example.com',
    ],
    ...[
      '*@example.com·',
      '*@*.example.com’',
      '*@xn--evil-jb7a.com',
      '*\u0301@example.com',
      '*@*xn--*”.com',
    ],
    ...['Ana <ana@example.com>', '<ana@example.com>', '"a"@example.com', 'ana(x)@example.com'],
  ])('%s is not a pattern, since no address matches it', (text) => {
    expect(() => parsePattern(text, 'deny-to in X')).toThrow(`deny-to in X: "${text}" is neither`);
  });

  test.each(['*@0x*', '*@1*', '*@*.*', '*@xn--*.de', '*@bücher.*', '*@例え。テスト', '**@**.a*'])(
    '%s is one',
    (text) => {
      expect(() => parsePattern(text, 'x')).not.toThrow();
    },
  );

  test('with many stars is compared quickly', () => {
    const pattern = { local: `${'a*'.repeat(5000)}b`, domain: 'example.com' };
    const patterns = { addresses: new Set<string>(), others: [pattern] };
    expect(isAmong({ local: 'a'.repeat(60_000), domain: 'example.com' }, patterns)).toBe(false);
  });

  test.each(['ana+news@example.com', 'ａｎａ@example.com', 'ａｎａ＋news@example.com'])(
    'that denies an address denies it with any tag, and in letters of another width: %s',
    (to) => {
      const address = comparedAddress(to) ?? { local: '', domain: '' };
      expect(isMailboxAmong(address, parsePatterns(['ana@example.com'], 'x'))).toBe(true);
      expect(isMailboxAmong(address, parsePatterns(['ben@example.com'], 'x'))).toBe(false);
    },
  );
});

/** Texts that people paste as addresses: letters of several scripts, and signs that programs put around them. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('ceo', 'ana', 'A', '7', 'o.k', 'a-b', 'josé', 'mü', 'ß'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('россия', 'Ω', '例え', 'भारत', 'דוגמה', 'ไทย', 'xn--mnchen-3ya'),
  },
  fc.constantFrom(...'“”‘’«»·•™✓→①²ª\u200d\u0301'.split(''), 'xn--evil-jb7a', 'xn--a', '💩'),
  fc.string({ unit: 'binary', maxLength: 2 }),
);
const text = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
const pasted = fc
  .tuple(text, fc.array(text, { minLength: 1, maxLength: 2 }))
  .map(([local, labels]) => `${local}@${[...labels, 'example'].join('.')}`);

function isPattern(one: string): boolean {
  try {
    parsePattern(one, 'x');
    return true;
  } catch {
    return false;
  }
}

test('a rule that parses matches the address that it was made from, of letters and digits only', () => {
  const found = { rules: 0, others: 0 };
  fc.assert(
    fc.property(pasted, (one) => {
      const isRule = isPattern(one);
      expect(isRule).toBe(comparedAddress(one) !== undefined);
      found[isRule ? 'rules' : 'others']++;
      if (!isRule) return;
      expect(isLike(one, one)).toBe(true);
      expect(isLike(one, `Ana <${one}>`)).toBe(true);
      const domain = one.slice(one.lastIndexOf('@') + 1);
      const shown = domainToUnicode(domainToASCII(domain));
      expect(shown).toMatch(/^(?:[\p{L}\p{M}\p{Nd}.-]|\u200c|\u200d)+$/u);
      expect(isLike(one, one.replace(/@.*$/, `@${shown}`))).toBe(true);
      expect(one).not.toMatch(/^[“”‘’«»·•™✓→💩]|[“”‘’«»·•™✓→💩](?:@|$)/u);
    }),
    { numRuns: 2000 },
  );
  expect(found.rules).toBeGreaterThan(200);
  expect(found.others).toBeGreaterThan(200);
});

test('a pattern that parses matches an address: that with a letter for its star', () => {
  const found = { rules: 0, others: 0 };
  fc.assert(
    fc.property(pasted, fc.nat(40), fc.nat(3), (one, from, length) => {
      const characters = [...one];
      characters.splice(from % characters.length, length, '*');
      const pattern = characters.join('');
      // A letter for a star makes no Punycode.
      const isRule = !/xn--[^.]*\*/.test(pattern) && isPattern(pattern);
      found[isRule ? 'rules' : 'others']++;
      if (isRule) expect(isLike(pattern, pattern.replace('*', 'z'))).toBe(true);
    }),
    { numRuns: 1000 },
  );
  expect(found.rules).toBeGreaterThan(100);
  expect(found.others).toBeGreaterThan(100);
});
