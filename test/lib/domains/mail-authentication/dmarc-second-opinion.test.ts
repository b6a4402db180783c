import { dmarc } from 'mailauth/lib/dmarc/index.js';
import { expect, test } from 'vitest';
import { isAligned } from '../../../../src/lib/domains/mail-authentication/alignment.ts';
import type { Ask } from '../../../../src/lib/domains/mail-authentication/ask.ts';
import { discoverDmarc } from '../../../../src/lib/domains/mail-authentication/dmarc-tree-walk.ts';
import { judged, mostly, resolverOf, several, tally } from '../../../support/second-opinion.ts';
import { pick, seeded, shuffled } from '../../../support/seeded.ts';
import { askZone } from '../../../support/zone.ts';

const domains = [
  'example.com',
  'news.example.com',
  'a.b.news.example.com',
  'typo.example.com',
  'a.b.c.d.e.f.g.h.example.com',
] as const;

test('mailauth agrees about DMARC', async () => {
  const random = seeded(9989);
  const results = tally();
  for (let index = 0; index < judged; index++) {
    const zone = zoneOf(random);
    const { ask } = askZone(zone);
    const from = pick(random, domains);
    const signer = pick(random, [...domains, 'example.net']);
    const result = await ours(from, signer, ask);
    results.count(result.replace(/ \S+$/, ''));
    expect(result, `${from} ${signer}\n${zone.join('\n')}`).toBe(await theirs(from, signer, ask));
  }
  const seen = [
    'none',
    'temperror',
    'pass none',
    'pass reject',
    'fail none',
    'fail reject',
    'fail quarantine',
  ];
  for (const result of seen) expect(results.of(result), result).toBeGreaterThan(20);
});

/** Such as `fail reject example.com`: the result for a DKIM signature, the policy, and where it is published. */
async function ours(from: string, signer: string, ask: Ask): Promise<string> {
  const { inForce, failure } = await discoverDmarc(from, ask);
  if (failure !== undefined) return 'temperror';
  if (inForce?.applied === undefined) return 'none';
  const aligned = await isAligned(from, signer, { strict: inForce.record.strictDkim }, ask);
  if (aligned === undefined) return 'temperror';
  return `${aligned ? 'pass' : 'fail'} ${inForce.applied} ${inForce.domain}`;
}

async function theirs(from: string, signer: string, ask: Ask): Promise<string> {
  const result = await dmarc({
    ...{ headerFrom: from, dkimDomains: [{ domain: signer }] },
    ...{ resolver: resolverOf(ask), strict: true },
  });
  if (result === false) throw new Error(`${from} is no domain`);
  const { status, policy, policyDomain } = result;
  const hasPolicy = status.result === 'pass' || status.result === 'fail';
  return hasPolicy ? `${status.result} ${policy} ${policyDomain}` : status.result;
}

function zoneOf(random: () => number): string[] {
  return [
    ...several(random, 2, () => `TXT _dmarc.${pick(random, domains)} ${record(random)}`),
    ...(random() < 0.7 ? [`TXT _dmarc.example.com ${record(random)}`] : []),
    ...(random() < 0.1 ? ['TXT _dmarc.com v=DMARC1; p=none; psd=y'] : []),
    ...(random() < 0.05 ? ['FAIL _dmarc.com'] : []),
    'A news.example.com 192.0.2.1',
    'CNAME a.b.news.example.com gone.example',
  ];
}

function record(random: () => number): string {
  const version = mostly(
    random,
    ['v=DMARC1', 'v = DMARC1 ', 'V=DMARC1'],
    ['v=DMARC2', 'v=dmarc1', 'DMARC1'],
  );
  const policy = () =>
    mostly(random, ['none', 'quarantine', 'reject', 'Reject'], ['block', 'r', '']);
  const flag = () => mostly(random, ['y', 'n', 'u', 'N'], ['x', 'yes', '']);
  const mode = () => mostly(random, ['r', 's', 'S'], ['x', 'strict', '']);
  const rua = () =>
    mostly(
      random,
      ['mailto:a@example.com', 'mailto:a@example.com!10m,https://example.com/'],
      ['a@example.com', ''],
    );
  const tags = shuffled(
    [
      ...(random() < 0.9 ? [`p=${policy()}`] : []),
      ...several(random, 1, () => `sp=${policy()}`),
      ...several(random, 1, () => `np=${policy()}`),
      ...several(random, 1, () => `adkim=${mode()}`),
      ...several(random, 1, () => `rua=${rua()}`),
      ...(random() < 0.2 ? [`psd=${flag()}`] : []),
      ...(random() < 0.2 ? [`t=${flag()}`] : []),
      ...(random() < 0.1
        ? [pick(random, ['pct=50', 'P=reject', 'what', '=x', 'fo=1', '', 'p=none'])]
        : []),
    ],
    random,
  );
  return [version, ...tags].join(pick(random, [';', '; ', ' ; '])) + pick(random, ['', ';', '; ']);
}
