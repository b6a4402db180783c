import { describe, expect, test } from 'vitest';
import {
  comparedAddress,
  isAmong,
  isMailboxAmong,
  parsePattern,
  parsePatterns,
} from '../../../src/lib/policy/pattern.ts';

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

  test('that denies an address denies it with any tag', () => {
    const address = comparedAddress('ana+news@example.com') ?? { local: '', domain: '' };
    expect(isMailboxAmong(address, parsePatterns(['ana@example.com'], 'x'))).toBe(true);
    expect(isMailboxAmong(address, parsePatterns(['ben@example.com'], 'x'))).toBe(false);
  });
});
