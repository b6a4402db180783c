import { describe, expect, test } from 'vitest';
import { checkHost } from '../../support/check-host.ts';
import { askZone, type Zone } from '../../support/zone.ts';

const from = { ip: '192.0.2.1', sender: 'alice@example.com', helo: 'mail.example.com' };

/** The result for a record of example.com and other records. */
async function resultOf(record: string, more: Zone = [], subject = {}) {
  const { ask } = askZone([`TXT example.com ${record}`, ...more]);
  return (await checkHost({ ...from, ...subject }, ask)).result;
}

describe('selecting a record (RFC 7208, 4.3 to 4.5)', () => {
  test.each([
    ['no record', [], 'none'],
    ['other TXT records', ['TXT example.com hello', 'TXT example.com v=spf10 -all'], 'none'],
    ['two records', ['TXT example.com v=spf1 +all', 'TXT example.com v=spf1 -all'], 'permerror'],
    ['a failed look-up', ['FAIL example.com'], 'temperror'],
    ['an error after the match', ['TXT example.com v=spf1 +all nonsense'], 'permerror'],
  ])('%s: %s', async (_, zone, expected) => {
    expect((await checkHost(from, askZone(zone).ask)).result).toBe(expected);
  });

  test.each([
    'alice@com',
    'alice@[192.0.2.1]',
    `alice@${'a'.repeat(64)}.example.com`,
    'a@b..example.com',
  ])('%s has no domain that could publish one', async (sender) => {
    const { ask, questions } = askZone([]);
    expect((await checkHost({ ...from, sender }, ask)).result).toBe('none');
    expect(questions).toEqual([]);
  });

  test('a bounce is checked by the name in HELO, and postmaster is its sender', async () => {
    const { ask, questions } = askZone([
      'TXT mail.example.com v=spf1 exists:%{l}.%{o}.x.example -all',
      'A postmaster.mail.example.com.x.example 127.0.0.2',
    ]);
    expect((await checkHost({ ...from, sender: '' }, ask)).result).toBe('pass');
    expect(questions[0]).toBe('TXT mail.example.com');
  });
});

describe('mechanisms (RFC 7208, 5)', () => {
  test.each([
    ['v=spf1', 'neutral'],
    ['v=spf1 ~all', 'softfail'],
    ['v=spf1 ip4:192.0.2.0/24 -all', 'pass'],
    ['v=spf1 ip4:192.0.2.2/31 -all', 'fail'],
    ['v=spf1 ip4:0.0.0.0/0', 'pass'],
    ['v=spf1 ip6:::/0 -all', 'fail'],
    ['v=spf1 ?ip4:192.0.2.1 -all', 'neutral'],
    ['v=spf1 a -all', 'pass'],
    ['v=spf1 a:none.example -all', 'fail'],
    ['v=spf1 a:near.example -all', 'fail'],
    ['v=spf1 a:near.example/24 -all', 'pass'],
    ['v=spf1 a:alias.example -all', 'pass'],
    ['v=spf1 mx -all', 'pass'],
    ['v=spf1 mx:null.example -all', 'fail'],
    ['v=spf1 exists:%{ir}.%{v}.list.example -all', 'pass'],
    ['v=spf1 exists:%{p}.%{d}.list.example -all', 'pass'],
    ['v=spf1 ptr -all', 'pass'],
    ['v=spf1 ptr:other.example -all', 'fail'],
    ['v=spf1 a:down.example -all', 'temperror'],
    ['v=spf1 include:yes.example -all', 'pass'],
    ['v=spf1 include:no.example ~all', 'softfail'],
    ['v=spf1 include:soft.example -all', 'fail'],
    ['v=spf1 include:none.example -all', 'permerror'],
    ['v=spf1 include:bad.example -all', 'permerror'],
    ['v=spf1 include:down.example -all', 'temperror'],
    ['v=spf1 redirect=no.example', 'fail'],
    ['v=spf1 redirect=none.example', 'permerror'],
    ['v=spf1 ~all redirect=no.example', 'softfail'],
    ['v=spf1 redirect=no.example ~all', 'softfail'],
  ])('%s: %s', async (record, expected) => {
    const zone = [
      'A example.com 192.0.2.1',
      'A near.example 192.0.2.200',
      'CNAME alias.example example.com',
      'MX example.com 10 mail.example.com',
      'A mail.example.com 192.0.2.1',
      'MX null.example 0 .',
      'A 1.2.0.192.in-addr.list.example 127.0.0.2',
      'A mail.example.com.example.com.list.example 127.0.0.2',
      'PTR 1.2.0.192.in-addr.arpa mail.example.com',
      'PTR 1.2.0.192.in-addr.arpa liar.other.example',
      'A liar.other.example 198.51.100.1',
      'FAIL down.example',
      'TXT yes.example v=spf1 ip4:192.0.2.1',
      'TXT no.example v=spf1 -all',
      'TXT soft.example v=spf1 ~all',
      'TXT bad.example v=spf1 ip4:nonsense',
    ];
    expect(await resultOf(record, zone)).toBe(expected);
  });

  test.each([
    ['2001:db8::1', 'v=spf1 ip6:2001:db8::/32 -all', 'pass'],
    ['2001:db8::1', 'v=spf1 ip4:0.0.0.0/0 -all', 'fail'],
    ['2001:db8::1', 'v=spf1 a//64 -all', 'pass'],
    ['2001:db8::1', 'v=spf1 a/0 -all', 'fail'],
    ['2001:db8::cb01', 'v=spf1 exists:%{i}.%{v}.list.example -all', 'pass'],
    ['::ffff:192.0.2.1', 'v=spf1 ip4:192.0.2.1 -all', 'pass'],
    ['::ffff:192.0.2.1', 'v=spf1 ip6:::ffff:192.0.2.1 -all', 'fail'],
  ])('from %s, %s: %s', async (ip, record, expected) => {
    const nibbles = '2.0.0.1.0.d.b.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.c.b.0.1';
    const zone = ['AAAA example.com 2001:db8::2', `A ${nibbles}.ip6.list.example 127.0.0.2`];
    expect(await resultOf(record, zone, { ip })).toBe(expected);
  });
});

/** The examples of RFC 7208, 7.4. */
describe('macros', () => {
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
    ['%{h}', 'mail.example.com'],
  ])('%s is %s', async (macro, expected) => {
    const { ask, questions } = askZone([
      `TXT email.example.com v=spf1 exists:${macro}.x.example -all`,
    ]);
    const subject = { ip: '192.0.2.3', sender: 'strong-bad@email.example.com' };
    await checkHost({ ...from, ...subject }, ask);
    expect(questions).toContain(`A ${expected.toLowerCase()}.x.example`);
  });

  test('a name of more than 253 octets loses labels on its left', async () => {
    const label = 'a'.repeat(60);
    const { ask, questions } = askZone([
      `TXT example.com v=spf1 exists:${`${label}.`.repeat(5)}example.com -all`,
    ]);
    await checkHost(from, ask);
    expect(questions[1]).toBe(`A ${`${label}.`.repeat(3)}example.com`);
  });
});

describe('limits (RFC 7208, 4.6.4)', () => {
  const includes = (count: number) =>
    Array.from({ length: count }, (_, index) => `TXT i${index}.example v=spf1 ip4:198.51.100.1`);
  const including = (count: number) =>
    `v=spf1 ${includes(count)
      .map((_, index) => `include:i${index}.example`)
      .join(' ')} -all`;

  test('ten look-ups are allowed, eleven are not', async () => {
    expect(await resultOf(including(10), includes(10))).toBe('fail');
    expect(await resultOf(including(11), includes(11))).toBe('permerror');
  });

  test('a match ends the evaluation before the limit', async () => {
    const record = including(11).replace('v=spf1', 'v=spf1 ip4:192.0.2.1');
    expect(await resultOf(record, includes(11))).toBe('pass');
  });

  test('two look-ups without an answer are allowed, three are not', async () => {
    expect(await resultOf('v=spf1 a:a.x.example mx:b.x.example -all')).toBe('fail');
    expect(await resultOf('v=spf1 a:a.x.example mx:b.x.example exists:c.x.example -all')).toBe(
      'permerror',
    );
  });

  test.each([10, 11])('an mx with %d servers', async (count) => {
    const servers = Array.from(
      { length: count },
      (_, index) => `MX example.com 10 m${index}.example`,
    );
    expect(await resultOf('v=spf1 mx -all', servers)).toBe(count === 10 ? 'fail' : 'permerror');
  });

  test('a loop is a permanent error', async () => {
    expect(await resultOf('v=spf1 include:example.com -all')).toBe('permerror');
    expect(await resultOf('v=spf1 redirect=example.com')).toBe('permerror');
  });
});

test('an address that is none is an error of the caller', async () => {
  await expect(checkHost({ ...from, ip: 'fe80::1%eth0' }, askZone([]).ask)).rejects.toThrow(
    TypeError,
  );
});
