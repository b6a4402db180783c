import { describe, expect, test } from 'vitest';
import { isAligned } from '../../../../src/lib/domains/mail-authentication/alignment.ts';
import {
  discoverDmarc,
  organizationalDomain,
  walkTree,
} from '../../../../src/lib/domains/mail-authentication/dmarc-tree-walk.ts';
import { reportPermission } from '../../../../src/lib/domains/mail-authentication/report-permission.ts';
import { askZone, type Zone } from '../../../support/zone.ts';

/** A record of a domain: `dmarc('example.com', 'p=none')`. */
const dmarc = (domain: string, tags = 'p=none') => `TXT _dmarc.${domain} v=DMARC1; ${tags}`;

async function organizationOf(domain: string, zone: Zone) {
  return organizationalDomain(await walkTree(domain, askZone(zone).ask));
}

test('a walk of a long name asks eight times (the example of RFC 9989, 4.10)', async () => {
  const { ask, questions } = askZone([]);
  await walkTree('a.b.c.d.e.f.g.h.i.j.mail.example.com', ask);
  expect(questions).toEqual(
    [
      'a.b.c.d.e.f.g.h.i.j.mail.example.com',
      'g.h.i.j.mail.example.com',
      'h.i.j.mail.example.com',
      'i.j.mail.example.com',
      'j.mail.example.com',
      'mail.example.com',
      'example.com',
      'com',
    ].map((name) => `TXT _dmarc.${name}`),
  );
});

test('a walk of eight labels asks for each', async () => {
  const { ask, questions } = askZone([]);
  await walkTree('a.b.c.d.e.f.example.com', ask);
  expect(questions).toHaveLength(8);
});

describe('the organizational domain (the examples of RFC 9989, 4.10.2)', () => {
  test.each([
    ['a.mail.example.com', [dmarc('mail.example.com'), dmarc('example.com')], 'example.com'],
    [
      'a.mail.example.com',
      [dmarc('mail.example.com', 'p=none; psd=n'), dmarc('example.com')],
      'mail.example.com',
    ],
    ['a.mail.example.com', [dmarc('com', 'p=none; psd=y')], 'example.com'],
    ['a.mail.example.com', [], 'a.mail.example.com'],
    ['Bank.Example.', [dmarc('bank.example', 'p=none; psd=y')], 'bank.example'],
    [
      'a.example.com',
      [dmarc('a.example.com'), dmarc('example.com'), dmarc('example.com')],
      'a.example.com',
    ],
    ['a.example.com', ['TXT _dmarc.example.com v=DMARC1; p=none; p=none'], 'a.example.com'],
  ])('%s, %j: %s', async (domain, zone, expected) => {
    expect(await organizationOf(domain, zone)).toBe(expected);
  });
});

describe('the examples of RFC 9989, B.4', () => {
  test('simple', async () => {
    const { ask } = askZone([dmarc('example.com'), dmarc('signing.example.com')]);
    expect(await isAligned('example.com', 'signing.example.com', { strict: false }, ask)).toBe(
      true,
    );
    expect((await discoverDmarc('example.com', ask)).inForce?.domain).toBe('example.com');
  });

  test('a deep tree walk', async () => {
    const { ask } = askZone([dmarc('example.com', 'p=reject'), dmarc('signing.example.com')]);
    const deep = 'a.b.c.d.e.f.g.h.i.j.k.example.com';
    expect(await discoverDmarc(deep, ask)).toMatchObject({
      organizationalDomain: 'example.com',
      inForce: { domain: 'example.com', tag: 'p', policy: 'reject' },
    });
    for (const other of ['example.com', 'signing.example.com']) {
      expect(await isAligned(deep, other, { strict: false }, ask)).toBe(true);
    }
  });

  test('a public suffix domain', async () => {
    const { ask } = askZone([
      dmarc('bank.example', 'p=reject; psd=y'),
      dmarc('giant.bank.example'),
    ]);
    const from = 'giant.bank.example';
    expect(await discoverDmarc(from, ask)).toMatchObject({
      organizationalDomain: from,
      inForce: { domain: from },
    });
    expect(await isAligned(from, 'mail.giant.bank.example', { strict: false }, ask)).toBe(true);
    expect(await isAligned(from, 'mail.mega.bank.example', { strict: false }, ask)).toBe(false);
    expect(await discoverDmarc('mail.mega.bank.example', ask)).toMatchObject({
      organizationalDomain: 'mega.bank.example',
      inForce: { domain: 'bank.example', policy: 'reject' },
    });
  });
});

describe('the policy in force (RFC 9989, 4.10.1)', () => {
  const full = 'p=reject; sp=quarantine; np=none';
  test.each([
    ['example.com', [dmarc('example.com', full)], 'p', 'reject', 'reject'],
    [
      'news.example.com',
      [dmarc('example.com', full), 'A news.example.com 192.0.2.1'],
      'sp',
      'quarantine',
      'quarantine',
    ],
    [
      'news.example.com',
      [dmarc('example.com', full), 'TXT below.news.example.com x'],
      'sp',
      'quarantine',
      'quarantine',
    ],
    [
      'news.example.com',
      [dmarc('example.com', full), 'CNAME news.example.com gone.example'],
      'sp',
      'quarantine',
      'quarantine',
    ],
    ['typo.example.com', [dmarc('example.com', full)], 'np', 'none', 'none'],
    ['typo.example.com', [dmarc('example.com', 'p=reject; sp=none')], 'sp', 'none', 'none'],
    ['typo.example.com', [dmarc('example.com', 'p=reject')], 'p', 'reject', 'reject'],
    [
      'news.example.com',
      [dmarc('news.example.com', full), dmarc('example.com')],
      'p',
      'reject',
      'reject',
    ],
    ['example.com', [dmarc('example.com', 'p=reject; t=y')], 'p', 'reject', 'quarantine'],
    ['example.com', [dmarc('example.com', 'p=quarantine; t=y')], 'p', 'quarantine', 'none'],
    [
      'example.com',
      [dmarc('example.com', 'p=nonsense; rua=mailto:a@example.com')],
      'p',
      'none',
      'none',
    ],
    ['example.com', [dmarc('example.com', 'p=nonsense')], 'p', undefined, undefined],
  ])('%s, %j: by %s', async (domain, zone, tag, policy, applied) => {
    const { inForce } = await discoverDmarc(domain, askZone(zone).ask);
    expect(inForce).toMatchObject({ tag });
    expect([inForce?.policy, inForce?.applied]).toEqual([policy, applied]);
  });

  test('without a record there is none', async () => {
    const { ask } = askZone(['TXT example.com v=DMARC1; p=none']);
    expect(await discoverDmarc('example.com', ask)).toMatchObject({
      inForce: undefined,
      failure: undefined,
    });
  });

  test('a failed look-up leaves it open, unless the own record is known', async () => {
    const failing = ['FAIL _dmarc.example.com'];
    expect(await discoverDmarc('a.example.com', askZone(failing).ask)).toMatchObject({
      ...{ inForce: undefined, organizationalDomain: undefined },
      failure: expect.stringContaining('No server responded'),
    });
    const own = [...failing, dmarc('a.example.com', 'p=reject')];
    expect(await discoverDmarc('a.example.com', askZone(own).ask)).toMatchObject({
      ...{ inForce: { policy: 'reject' }, organizationalDomain: undefined, failure: undefined },
    });
  });

  test('np is asked for only where a record has it', async () => {
    const { ask, questions } = askZone([dmarc('example.com')]);
    await discoverDmarc('a.example.com', ask);
    expect(questions.every((one) => one.startsWith('TXT'))).toBe(true);
  });
});

describe('alignment', () => {
  const zone = [dmarc('example.com')];
  test.each([
    ['example.com', 'example.com', true, true],
    ['example.com', 'EXAMPLE.com.', true, true],
    ['example.com', 'mail.example.com', true, false],
    ['example.com', 'mail.example.com', false, true],
    ['a.example.com', 'b.example.com', false, true],
    ['example.com', 'example.net', false, false],
    ['example.com', 'badexample.com', false, false],
    ['a.other.example', 'b.other.example', false, false],
  ])('%s and %s, strict %j: %j', async (from, other, strict, aligned) => {
    expect(await isAligned(from, other, { strict }, askZone(zone).ask)).toBe(aligned);
  });

  test('a failed look-up leaves it open', async () => {
    const { ask } = askZone(['FAIL _dmarc.example.com']);
    const aligned = await isAligned('a.example.com', 'b.example.com', { strict: false }, ask);
    expect(aligned).toBeUndefined();
  });
});

describe('the permission for reports (RFC 9990, 4)', () => {
  const own = [dmarc('example.com'), dmarc('red.example.net')];
  const record = 'blue.example.com._report._dmarc.red.example.net';
  test.each([
    ['mailto:a@example.com', own, 'own'],
    ['mailto:a@mail.example.com?subject=x', own, 'own'],
    ['mailto:a@red.example.net', own, 'missing'],
    ['MAILTO:a@red.example.net', [...own, `TXT ${record} v=DMARC1`], 'permitted'],
    [
      'mailto:a@red.example.net',
      [...own, `TXT ${record} v=DMARC1;`, `TXT ${record} x`],
      'permitted',
    ],
    ['mailto:a@red.example.net', [...own, `TXT ${record} v=DMARC2`], 'missing'],
    ['mailto:a@red.example.net', [...own, `FAIL ${record}`], 'unknown'],
    ['https://example.com/', own, 'unsupported'],
    ['mailto:nobody', own, 'unsupported'],
  ])('%s: %s', async (address, zone, state) => {
    expect((await reportPermission('blue.example.com', address, askZone(zone).ask)).state).toBe(
      state,
    );
  });
});
