import { describe, expect, test } from 'vitest';
import {
  isDmarc,
  parseDmarc,
} from '../../../../src/lib/domains/mail-authentication/dmarc-record.ts';

test.each([
  ['v=DMARC1', true],
  ['v=DMARC1; p=none', true],
  ['V = DMARC1 ;p=none', true],
  ['v=dmarc1; p=none', false],
  ['v=DMARC10; p=none', false],
  ['v=DMARC1 p=none', false],
  ['p=none; v=DMARC1', false],
  ['"v=DMARC1; p=none"', false],
])('isDmarc(%j) is %j (RFC 9989, 4.7)', (text, expected) => {
  expect(isDmarc(text)).toBe(expected);
});

test('all tags, with the values of RFC 9989 in any case', () => {
  const text =
    'v=DMARC1; p=Reject; sp=QUARANTINE; np=none; psd=n; t=y; adkim=s; aspf=S; fo=1:d:s; ' +
    'rua=mailto:a@example.com , https://example.net/in?x=1; ruf=mailto:b@example.com!10m;';
  expect(parseDmarc(text)).toEqual({
    ...{ text, p: 'reject', sp: 'quarantine', np: 'none', psd: 'n', testing: true },
    ...{ strictDkim: true, strictSpf: true, use: 'policy' },
    rua: ['mailto:a@example.com', 'https://example.net/in?x=1'],
    ruf: ['mailto:b@example.com'],
    problems: [expect.objectContaining({ code: 'test-mode', tag: 't' })],
  });
});

test('the defaults', () => {
  expect(parseDmarc('v=DMARC1;p=none')).toMatchObject({
    ...{ psd: 'u', testing: false, strictDkim: false, strictSpf: false, rua: [], ruf: [] },
    ...{ sp: undefined, np: undefined, problems: [] },
  });
});

describe('a policy that is not valid (RFC 9989, 4.10.1)', () => {
  test.each([
    ['v=DMARC1; p=reject', 'policy'],
    ['v=DMARC1', 'ignored'],
    ['v=DMARC1; rua=mailto:a@example.com', 'monitor'],
    ['v=DMARC1; p=block', 'ignored'],
    ['v=DMARC1; p=block; rua=mailto:a@example.com', 'monitor'],
    ['v=DMARC1; p=reject; sp=all', 'ignored'],
    ['v=DMARC1; p=reject; np=all; rua=mailto:a@example.com', 'monitor'],
    ['v=DMARC1; p=block; rua=a@example.com', 'ignored'],
    ['v=DMARC1; P=reject', 'ignored'],
    ['v=DMARC1; p=reject; p=none', 'ignored'],
  ])('%s: %s', (text, use) => {
    const record = parseDmarc(text);
    expect(record.use).toBe(use);
    expect(record.problems.some(({ code }) => code === 'no-policy' || code === 'invalid')).toBe(
      use !== 'policy',
    );
  });
});

test.each([
  ['v=DMARC1', 'has no policy (p=), so receivers ignore it'],
  ['v=DMARC1; p=block', 'has p=block, which is not a valid policy, so receivers ignore it'],
  [
    'v=DMARC1; p=none; sp=; rua=mailto:a@example.com',
    'has sp=, which is not a valid policy, so receivers act as if it were p=none',
  ],
])('%s: %s', (text, sentence) => {
  expect(parseDmarc(text).problems.map((one) => one.sentence)).toEqual([
    `The DMARC record ${sentence} (RFC 9989, 4.10.1).`,
  ]);
});

describe('tags that receivers ignore', () => {
  test.each([
    ['pct=50', 'removed', 'pct'],
    ['ri=3600', 'removed', 'ri'],
    ['rf=afrf', 'removed', 'rf'],
    ['fo=0:1', 'ignored', 'fo'],
    ['fo=d:d', 'ignored', 'fo'],
    ['adkim=strict', 'ignored', 'adkim'],
    ['t=1', 'ignored', 't'],
    ['psd=x', 'ignored', 'psd'],
    ['ruf=nobody', 'ignored', 'ruf'],
    ['policy=reject', 'ignored', 'policy'],
    ['what', 'ignored', undefined],
  ])('%s', (tag, code, name) => {
    const { use, problems } = parseDmarc(`v=DMARC1; p=reject; ${tag}`);
    expect(use).toBe('policy');
    expect(problems.map((one) => [one.code, one.tag])).toEqual([[code, name]]);
  });
});
