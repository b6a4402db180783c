import { spf } from 'mailauth/lib/spf/index.js';
import { expect, test } from 'vitest';
import { checkHost } from '../../../support/check-host.ts';
import { judged, mostly, resolverOf, several, tally } from '../../../support/second-opinion.ts';
import { pick, seeded } from '../../../support/seeded.ts';
import { askZone } from '../../../support/zone.ts';

test('mailauth agrees about SPF', async () => {
  const random = seeded(7208);
  const results = tally();
  for (let index = 0; index < judged; index++) {
    const zone = zoneOf(random);
    const { ask } = askZone(zone);
    const subject = {
      ip: pick(random, ['192.0.2.1', '203.0.113.9', '2001:db8::1']),
      sender: 'first-last@example.com',
      helo: 'mail.example.com',
    };
    const { result } = await checkHost(subject, ask);
    const { status } = await spf({ ...subject, resolver: resolverOf(ask), strict: true });
    results.count(result);
    expect(result, `${subject.ip} ${zone.join('\n')}`).toBe(status.result);
  }
  for (const result of ['pass', 'fail', 'softfail', 'neutral', 'none', 'permerror', 'temperror']) {
    expect(results.of(result), result).toBeGreaterThan(20);
  }
});

function zoneOf(random: () => number): string[] {
  return [
    `TXT example.com ${record(random)}`,
    `TXT a.example ${record(random)}`,
    'TXT b.example v=spf1 ip4:192.0.2.1 ?all',
    ...(random() < 0.05 ? ['TXT b.example v=spf1 -all'] : []),
    'A example.com 192.0.2.77',
    'AAAA example.com 2001:db8::77',
    'A a.example 192.0.2.1',
    'MX example.com 10 a.example',
    'MX b.example 10 example.com',
    'PTR 1.2.0.192.in-addr.arpa a.example',
    'FAIL down.example',
  ];
}

function record(random: () => number): string {
  const version = mostly(random, ['v=spf1', 'v=spf1 ', 'V=SPF1'], ['v=spf2', 'v=spf1-all']);
  const end = pick(random, ['', ' -all', ' ~all', ' +all', ' redirect=b.example']);
  return `${version}${several(random, 4, () => ` ${term(random)}`).join('')}${end}`;
}

function term(random: () => number): string {
  const name = () =>
    mostly(
      random,
      [
        'example.com',
        'a.example',
        'b.example',
        'down.example',
        'example.com.',
        '%{d}',
        '%{o2r-}.example',
        '%%{d}.example',
      ],
      [
        'none.example',
        '%{l}.example',
        '%{ir}.%{v}.example',
        '%{p}',
        'a/b.example',
        'x',
        '%{d0}.example',
        '%{c}',
        'a..example',
        '192.0.2.1',
      ],
    );
  const prefix = () =>
    mostly(random, ['', '', '/24', '//64', '/24//64'], ['/33', '//129', '/', '/08']);
  const ip4 = () =>
    mostly(
      random,
      ['192.0.2.1', '192.0.2.0/24', '203.0.113.0/30'],
      ['0.0.0.0/0', '192.0.2', '192.0.2.1/33', '192.0.2.1/024', '::1', ''],
    );
  const ip6 = () =>
    mostly(
      random,
      ['2001:db8::/32', '2001:db8::2', '::ffff:192.0.2.1'],
      ['::/0', '2001:db8::/129', '2001:db8', '192.0.2.1', ''],
    );
  const good = [
    () => `include:${name()}`,
    () => `a${prefix()}`,
    () => `a:${name()}${prefix()}`,
    () => `mx${prefix()}`,
    () => `mx:${name()}`,
    () => 'ptr',
    () => `ptr:${name()}`,
    () => `ip4:${ip4()}`,
    () => `ip6:${ip6()}`,
    () => `exists:${name()}`,
    () => `moo=${name()}`,
    () => `exp=${name()}`,
  ] as const;
  const bad = ['all:x', 'nonsense', '=', 'exists', 'include', '-', '1x=y', '"'] as const;
  const qualifier = pick(random, ['', '', '+', '-', '~', '?']);
  return random() < 0.03 ? pick(random, bad) : `${qualifier}${pick(random, good)()}`;
}
