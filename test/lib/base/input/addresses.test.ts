import { describe, expect, test } from 'vitest';
import { isMailbox, mailboxProblem } from '../../../../src/api/address.ts';
import { UsageError } from '../../../../src/lib/base/errors.ts';
import { oneAddress, parseAddresses } from '../../../../src/lib/base/input/addresses.ts';

const label63 = 'a'.repeat(63);
const local64 = 'a'.repeat(64);
/** 254 bytes with a local part of 62, 255 with one of 63. */
const domain191 = `${label63}.${label63}.${label63}`;

/** Accepted unmodified. Many are from RFC 5322, appendix A, and from isemail's tests. */
const good = [
  'test@example.com',
  'a@e.io',
  'test@localhost',
  'test@123.org',
  'test@例え。テスト',
  '123@iana.org',
  'test.test@iana.org',
  'o’neill@example.com',
  "o'neill@example.com",
  'ana+news@example.com',
  "!#$%&'*+/=?^_`{|}~-@iana.org",
  'test@mason-dixon.com',
  'test@c--n.com',
  'test@xn--hxajbheg2az3al.xn--jxalpdlp',
  'josé@exämple.de',
  '用户@例え.テスト',
  ...['test@MÜNCHEN.example', 'test@xn--mnchen-3ya.example', 'test@Straße.example'],
  ...['test@россия.рф', 'test@ελλάς.gr', 'test@ΕΛΛΆΣ.gr', 'test@उदाहरण.भारत', 'test@ตัวอย่าง.ไทย'],
  ...['test@ทำ.ไทย', 'test@দোকান২৪.বাংলা', 'test@בתי\u05f4ס.ישראל', 'test@ميثاق\u06fe.ايران'],
  ...['test@col·lectiu.cat', 'test@フィー・テスト.jp', 'test@二\u3007.中国', 'test@한국.kr'],
  ...['पोस्ट@उदाहरण.भारत', 'почта@россия.рф', 'josé.o’neill@example.com', '"“a”"@example.com'],
  'test@نامه\u200cای.com',
  `${local64}@iana.org`,
  `test@${label63}.com`,
  `${'a'.repeat(62)}@${domain191}`,
  '"test"@iana.org',
  '""@iana.org',
  '" "@iana.org',
  '"john doe"@iana.org',
  '"a,b"@iana.org',
  '"a@b"@iana.org',
  '"\\""@iana.org',
  '"\\\\"@iana.org',
  '"(no comment)"@iana.org',
  'test@[255.255.255.255]',
  'test@[IPv6:2001:db8::1]',
  '<test@example.com>',
  'John Doe <jdoe@machine.example>',
  'Mary Smith <mary@x.test>',
  '"Joe Q. Public" <john.q.public@example.com>',
  '"Giant; \\"Big\\" Box" <sysservices@example.net>',
  '"Ana, B" <a@b.c>',
  '"Ana (Sales)" <a@b.c>',
  '"a@b.c" <d@e.f>',
  '"<"<d@e.f>',
  'José García <j@x.y>',
  '"José García" <j@x.y>',
  '山田太郎 <taro@example.jp>',
  'شرکت <info@example.ir>',
  '👩‍👩‍👧 Family <f@example.com>',
  '=?utf-8?q?Jos=C3=A9?= <j@x.y>',
] as const;

const general = 'Write ana@example.com';
const quoting = 'Put a display name with punctuation in double quotes';
const parentheses = 'It contains parentheses';
const control = 'It contains a line break or another control character';
const invisible = 'white space or an invisible character';
const noDomain = 'is not a domain name';
const noSign = 'is neither a letter nor a digit';

/** Errors, each with its hint. None has a comma, so each is one element of a list. */
const bad: readonly (readonly [value: string, hint: string])[] = [
  ['test', general],
  ['@', general],
  ['test@', general],
  ['@iana.org', general],
  ['.test@iana.org', general],
  ['test.@iana.org', general],
  ['test..test@iana.org', general],
  ['test..iana.org', general],
  ['test@test@iana.org', general],
  ['test\\@test@iana.org', general],
  ['test@.iana.org', general],
  ['test@iana.org.', general],
  ['test@iana..com', general],
  ['test@iana.org test', general],
  ['test iana@iana.org', general],
  ['"""@iana.org', general],
  ['"\\"@iana.org', general],
  ['test"@iana.org', general],
  ['"test@iana.org', general],
  ['"test"test@iana.org', general],
  ['"test""test"@iana.org', general],
  ['"test"."test"@iana.org', general],
  ['"test".test@iana.org', general],
  ['test . test@iana.org', general],
  ['test@[1.2.3.4', general],
  ['test@a[1.2.3.4]', general],
  ['mailto:test@iana.org', general],
  ['test@iana.org;', general],
  ['a@b.c; d@e.f', general],
  ['test:test@iana.org', general],
  ['Joe Q. Public <john@example.com>', quoting],
  ['Ana [Sales] <ana@example.com>', quoting],
  ['test@iana.org <test@iana.org>', quoting],
  ['Ana <ana@example.com', quoting],
  ['Ana <ana@example.com> x', quoting],
  ['Ana <<ana@example.com>>', quoting],
  ['Ana <>', quoting],
  ['<@relay.example:john@example.com>', quoting],
  ['test@ana <a@b.c>', quoting],
  ['"Ana <ana@example.com>', quoting],
  ['Pete(A nice \\) chap) <pete@silly.test>', parentheses],
  ['(comment)test@iana.org', parentheses],
  ['test@iana.org (comment)', parentheses],
  ['test@(comment)iana.org', parentheses],
  ['('.repeat(900), parentheses],
  ['test@a_b.example', 'mail servers reject an underscore'],
  ['Ana <ana@sub.a_b.example>', 'mail servers reject an underscore'],
  ['_dmarc@_b.example', 'mail servers reject an underscore'],
  ['A Group:Ed Jones <joe@where.test>;', 'It is a group'],
  ['Undisclosed recipients:;', 'It is a group'],
  ['test @iana.org', invisible],
  ['test@ iana.org', invisible],
  ['test@iana .org', general],
  ['Ana < ana@example.com >', invisible],
  ['"test\u00a0test"@iana.org', invisible],
  ['test\u00a0@iana.org', invisible],
  ['\u202etest@iana.org', invisible],
  ['test\u3000@iana.org', invisible],
  ['test@iana.org\n', control],
  ['test@iana.org\r\nBcc: x@y.z', control],
  ['"Ana\r\nBcc: x@y.z" <a@b.c>', control],
  ['\ttest@iana.org', control],
  ['te\0st@iana.org', control],
  ['"te\x07st"@iana.org', control],
  ['te\x85st@iana.org', control],
  ['te\u2028st@iana.org', control],
  ['te\ud800st@iana.org', control],
  ['test@-iana.org', noDomain],
  ['test@iana-.com', noDomain],
  ['test@iana.org-', noDomain],
  ['test@iana/icann.org', noDomain],
  ['test@iana!.org', noDomain],
  ['test@*.iana.org', noDomain],
  ['Ana <ana@exa$mple.com>', noDomain],
  [`test@${label63}a.com`, noDomain],
  [`test@${'ü'.repeat(60)}a.com`, noDomain],
  ['test@iana.123', noDomain],
  ['test@0x7f.0X1', noDomain],
  ['test@１.２', noDomain],
  ['test@255.255.255.255', 'An IP address is written as [255.255.255.255].'],
  ...[...'，；：＂＇＠＿＝％／\uff3c．'].map((one) => [`test@a${one}.com`, noDomain] as const),
  ['test@ü，ok.example', noDomain],
  ['test@a\u200db.com', noDomain],
  ...[...'“”„‘’«»‹›·•™✓→…–®、'].flatMap((one): [string, string][] => [
    [`test@example.com${one}`, noSign],
    [`test@exa${one}mple.com`, noSign],
    [`${one}test@example.com`, noSign],
    [`Ana <test${one}@example.com>`, noSign],
  ]),
  ['“test@example.com”', noSign],
  ['test@evil.com”.ok.example', noSign],
  ['test@💩.la', noSign],
  ['test@a²①.com', noDomain],
  // The Punycode of evil.com” and of 💩, none at all, and of an upper-case letter.
  ...['xn--evil-jb7a.com', 'xn--ls8h.la', 'xn--a.com', 'xn--mnchen-psa.example'].map(
    (one) => [`test@${one}`, noDomain] as const,
  ),
  ['test@o\ufe0fk.com', invisible],
  ['test@[255.255.255.256]', noDomain],
  ['test@[255.255.255]', noDomain],
  ['test@[1111:2222:3333:4444:5555:6666:7777:8888]', noDomain],
  ['test@[IPv6:1111:2222]', noDomain],
  ['test@[RFC-5322-domain-literal]', noDomain],
  ['test@[]', noDomain],
  [`${local64}a@iana.org`, 'more than 64 bytes'],
  [`${'é'.repeat(33)}@iana.org`, 'more than 64 bytes'],
  [`"${'a'.repeat(63)}"@iana.org`, 'more than 64 bytes'],
  [`${'a'.repeat(63)}@${domain191}`, 'more than 254 bytes'],
  [`"${'a'.repeat(990)}" <a@b.c>`, 'more than 998 characters'],
];

function usageError(action: () => unknown): UsageError {
  try {
    action();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('It did not throw.');
}

describe('one address', () => {
  test.each(good)('%s', (value) => {
    expect(mailboxProblem(value)).toBeUndefined();
    expect(isMailbox(value)).toBe(true);
    expect(parseAddresses([value], '--to')).toBe(value);
    expect(parseAddresses([`  ${value} `], '--to')).toBe(value);
    expect(oneAddress(` ${value}  `, '--from')).toBe(value);
  });

  test.each(bad)('%j is an error', (value, hint) => {
    expect(mailboxProblem(value)).toContain(hint);
    expect(isMailbox(value)).toBe(false);
    for (const action of [
      () => parseAddresses([value], '--to'),
      () => parseAddresses(['a@b.c', value], '--to'),
      () => oneAddress(value, '--to'),
    ]) {
      const error = usageError(action);
      expect(error.message).toMatch(/^--to: ".*" is not an email address$/);
      expect(error.details.hint).toContain(hint);
    }
  });

  test('the schema also accepts white space around it', () => {
    expect(isMailbox(' a@b.c ')).toBe(true);
    expect(isMailbox('')).toBe(false);
    expect(isMailbox(' ')).toBe(false);
  });
});

describe('lists', () => {
  test('one is sent as a string, several as an array, unmodified and in order', () => {
    expect(parseAddresses(['"Ana, B" <a@b.c>'], '--to')).toBe('"Ana, B" <a@b.c>');
    expect(parseAddresses(['"Ana, B" <a@b.c>,d@e.f', ' José <j@x.y> '], '--to')).toEqual([
      '"Ana, B" <a@b.c>',
      'd@e.f',
      'José <j@x.y>',
    ]);
    expect(parseAddresses(['a@b.c', 'a@b.c'], '--to')).toEqual(['a@b.c', 'a@b.c']);
  });

  test('all valid addresses in one value', () => {
    expect(parseAddresses([good.join(', ')], '--to')).toEqual(good);
    expect(parseAddresses([good.join(',')], '--to')).toEqual(good);
    expect(parseAddresses(good, '--to')).toEqual(good);
  });

  test('every pair', () => {
    for (const first of good) {
      for (const second of good) {
        expect(parseAddresses([`${first} ,${second}`], '--to')).toEqual([first, second]);
      }
    }
  });

  test.each([
    ['foo@', 'foo@'],
    ['a@b.c, foo@ , d@e.f', 'foo@'],
    ['a@b.c, d@e.f foo', 'd@e.f foo'],
    ['Ana, B <a@b.c>', 'Ana'],
    ['"Ana, B" <a@b.c, d@e.f', '"Ana, B" <a@b.c'],
    ['"Ana\\", B" <a@b.c>, x', 'x'],
    ['"Ana, B <a@b.c>, d@e.f', '"Ana, B <a@b.c>, d@e.f'],
    ['a@b.c\x1b[2J', 'a@b.c\\x1b[2J'],
    ['a@b.c\nd@e.f', 'a@b.c\\nd@e.f'],
    ['Group: a@b.c, d@e.f;', 'Group: a@b.c'],
  ])('in %j the invalid one is %s', (value, part) => {
    const error = usageError(() => parseAddresses(['x@y.z', value], '--to'));
    expect(error.message).toBe(`--to: "${part}" is not an email address`);
  });

  test.each([
    [[]],
    [['']],
    [['  ']],
    [['a@b.c,']],
    [[',a@b.c']],
    [['a@b.c,,d@e.f']],
    [['a@b.c', '']],
  ])('in %j one is missing', (values) => {
    const error = usageError(() => parseAddresses(values, '--cc'));
    expect(error.message).toBe('--cc: an email address is missing');
  });

  test('several are an error where one is expected', () => {
    const error = usageError(() => oneAddress('a@b.c, "D, E" <d@e.f>', '--from'));
    expect(error.message).toBe('--from takes one email address, not 2');
    expect(usageError(() => oneAddress('', '--from')).message).toBe(
      '--from: an email address is missing',
    );
    expect(usageError(() => oneAddress('Ana, B <a@b.c>', '--from')).message).toBe(
      '--from: "Ana, B <a@b.c>" is not an email address',
    );
  });
});

test('hostile input is read to its end', () => {
  const values = [
    '"'.repeat(100_000),
    '\\"'.repeat(50_000),
    '('.repeat(100_000),
    ','.repeat(100_000),
  ];
  const long = Array.from(
    { length: 5000 },
    (_, index) => `"User, ${index}" <u${index}@example.com>`,
  );
  for (const value of values) usageError(() => parseAddresses([value], '--to'));
  expect(parseAddresses([long.join(',')], '--to')).toHaveLength(5000);
});
