import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  dkimKeyAt,
  parseDkimKey,
} from '../../../../src/lib/domains/mail-authentication/dkim-key.ts';

/** The key of RFC 6376, C.2, and that of RFC 8463, A.2. */
const rsa1024 =
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB';
const ed25519 = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

const rsa = (modulusLength: number, type: 'spki' | 'pkcs1' = 'spki') =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ format: 'der', type })
    .toString('base64');
const rsa2048 = rsa(2048);

const codes = (text: string) =>
  parseDkimKey(text).problems.map(({ code, effect }) => `${effect} ${code}`);

test('the examples of the RFCs', () => {
  expect(parseDkimKey(`v=DKIM1; p=${rsa1024}`)).toMatchObject({ type: 'rsa', bits: 1024 });
  expect(parseDkimKey(`v=DKIM1; k=ed25519; p=${ed25519}`)).toMatchObject({
    ...{ type: 'ed25519', bits: 256, problems: [] },
  });
});

test('all tags', () => {
  const text = ` v = DKIM1 ;k=RSA;h=sha1 : sha256;s=email;t=y:s;n=a note;p=${rsa2048.slice(0, 40)} \t ${rsa2048.slice(40)};`;
  expect(parseDkimKey(text)).toMatchObject({
    ...{ type: 'rsa', bits: 2048 },
    problems: [{ code: 'testing', effect: 'advice' }],
  });
});

describe('what receivers do with it', () => {
  test.each([
    [`p=${rsa2048}`, []],
    [`v=DKIM1; p=${rsa(2048, 'pkcs1')}`, []],
    [`v=DKIM1; p=${rsa(512)}`, ['unusable too-short']],
    [`v=DKIM1; p=${rsa1024}`, ['advice short']],
    [`v=DKIM2; p=${rsa2048}`, ['unusable version']],
    [`p=${rsa2048}; v=DKIM1`, ['unusable version']],
    ['v=DKIM1; k=rsa', ['unusable no-key']],
    ['v=DKIM1; p=', ['unusable revoked']],
    [`v=DKIM1; k=dsa; p=${rsa2048}`, ['unusable type']],
    [`v=DKIM1; k=ed25519; p=${rsa2048}`, ['unusable unreadable']],
    [`v=DKIM1; k=rsa; p=${ed25519}`, ['unusable unreadable']],
    [`v=DKIM1; p=${rsa2048.slice(0, 200)}`, ['unusable unreadable']],
    [`v=DKIM1; p=${rsa2048.slice(0, 200)}*`, ['unusable unreadable']],
    [`v=DKIM1; h=sha1; p=${rsa2048}`, ['unusable hash']],
    [`v=DKIM1; h=sha1:sha256; p=${rsa2048}`, []],
    [`v=DKIM1; s=tlsrpt; p=${rsa2048}`, ['unusable service']],
    [`v=DKIM1; s=tlsrpt:*; p=${rsa2048}`, []],
    [`v=DKIM1; k=rsa; k=rsa; p=${rsa2048}`, ['unusable syntax']],
    [`v=DKIM1; what; p=${rsa2048}`, ['unusable syntax']],
    [`v=DKIM1;; p=${rsa2048}`, ['unusable syntax']],
    [
      `v=DKIM1; p=${rsa2048.slice(0, 200)}" "${rsa2048.slice(200)}`,
      ['unusable quotes', 'unusable unreadable'],
    ],
    [`v=DKIM1\\; p=${rsa2048}`, ['unusable quotes', 'unusable version']],
  ])('%s', (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });
});

test.each([
  ['none', []],
  ['found', [`v=DKIM1; p=${rsa2048}`]],
  ['several', [`v=DKIM1; p=${rsa2048}`, `v=DKIM1; p=${rsa1024}`]],
  ['several', [`v=DKIM1; p=${rsa2048}`, 'v=spf1 -all (of a wildcard)']],
  ['split', [`v=DKIM1; p=${rsa2048.slice(0, 200)}`, rsa2048.slice(200)]],
  ['split', [rsa2048.slice(200), `v=DKIM1; p=${rsa2048.slice(0, 200)}`]],
])('%s: %j', (state, values) => {
  expect(dkimKeyAt(values).state).toBe(state);
});
