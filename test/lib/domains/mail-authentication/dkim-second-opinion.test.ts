import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { expect, test } from 'vitest';
import { parseDkimKey } from '../../../../src/lib/domains/mail-authentication/dkim-key.ts';
import { judged, mostly, resolverOf, several, tally } from '../../../support/second-opinion.ts';
import { pick, seeded } from '../../../support/seeded.ts';
import { askZone } from '../../../support/zone.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const published = (type: 'spki' | 'pkcs1') =>
  publicKey.export({ format: 'der', type }).toString('base64');
const key = published('spki');
const bareKey = published('pkcs1');

/** A key can be used if mailauth verifies a signature with it. */
test('mailauth agrees about DKIM keys', async () => {
  const random = seeded(6376);
  const results = tally();
  const message = 'From: a@example.com\r\nSubject: Hello\r\n\r\nHello\r\n';
  const signer = {
    ...{ signingDomain: 'example.com', selector: 's', algorithm: 'rsa-sha256' },
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
  const { signatures } = await dkimSign(message, { ...signer, signatureData: [signer] });
  for (let index = 0; index < judged; index++) {
    const text = record(random);
    const { ask } = askZone([`TXT s._domainkey.example.com ${text}`]);
    const { problems } = parseDkimKey(text);
    const usable = !problems.some(({ effect }) => effect === 'unusable');
    const options = { resolver: resolverOf(ask), strict: true };
    const { results: verified } = await dkimVerify(`${signatures}${message}`, options);
    results.count(usable ? 'usable' : 'unusable');
    expect(usable, text).toBe(verified[0]?.status.result === 'pass' && !hasEmptyType(text));
  }
  expect(results.of('usable')).toBeGreaterThan(200);
  expect(results.of('unusable')).toBeGreaterThan(200);
});

/** On purpose: an empty `k=` is no key type (RFC 6376, 3.6.1); mailauth takes it as absent. */
function hasEmptyType(text: string): boolean {
  return /(?:^|;)\s*k\s*=\s*(?:;|$)/.test(text);
}

function record(random: () => number): string {
  const p = () =>
    mostly(
      random,
      [key, bareKey, `${key.slice(0, 100)} ${key.slice(100)}`],
      ['', key.slice(0, 200), `${key}*`, `${key.slice(0, 100)}"${key.slice(100)}`],
    );
  const tags = [
    mostly(random, ['v=DKIM1', 'v = DKIM1'], ['v=dkim1', 'v=DKIM2', 'what']),
    ...several(random, 1, () => `k=${mostly(random, ['rsa', 'RSA'], ['ed25519', 'dsa', ''])}`),
    ...several(
      random,
      1,
      () => `h=${mostly(random, ['sha256', 'sha1 : SHA256'], ['sha1', 'sha512', ''])}`,
    ),
    ...several(
      random,
      1,
      () => `s=${mostly(random, ['email', '*', 'tlsrpt:email'], ['tlsrpt', ''])}`,
    ),
    ...several(random, 1, () => `t=${pick(random, ['y', 's', 'y : s', ''])}`),
    ...(random() < 0.1
      ? [pick(random, ['n=a note', 'g=*', 'K=dsa', '=x', '', 'k=rsa', 'v=DKIM1'])]
      : []),
    `p=${p()}`,
  ];
  const shown = random() < 0.2 ? tags.slice(1) : tags;
  return shown.join(pick(random, ['; ', ';', ' ; '])) + pick(random, ['', ';']);
}
