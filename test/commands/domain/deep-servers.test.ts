import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { type DnsServerOptions, startDns, type ZoneRecord } from '../../support/dns-server.ts';
import { linux, needing } from '../../support/needs.ts';
import { shortLimit } from '../../support/time-limits.ts';
import { but, dmarcOf, world as elsewhere, sending, zoneOf } from './deep-domains.ts';

/** All of 127.0.0.0/8 is this machine only on Linux. */
const onLinux = needing(linux);

const two: ZoneRecord[] = [
  ...zoneOf(),
  ['a.example', 'NS', 'ns2.a.example'],
  ['ns2.a.example', 'A', '127.0.0.3'],
];

interface Servers {
  /** What the second of the two name servers has; the same as the first if absent. */
  readonly second?: readonly ZoneRecord[];
  readonly options?: DnsServerOptions;
  /** What the resolver says. */
  readonly resolver?: readonly ZoneRecord[];
  readonly above?: readonly ZoneRecord[];
  readonly failing?: DnsServerOptions['failing'];
}

/** Checks `a.example`, which has name servers at 127.0.0.2 and 127.0.0.3, and 127.0.0.4 for the zone above. */
async function check({ second = two, options = {}, resolver = two, above, failing }: Servers) {
  const first = await startDns(two, { host: '127.0.0.2' });
  const { port } = first;
  const other = await startDns(second, { host: '127.0.0.3', port, ...options });
  const names: ZoneRecord[] =
    above === undefined
      ? []
      : [
          ['example', 'NS', 'ns.example'],
          ['ns.example', 'A', '127.0.0.4'],
        ];
  if (above !== undefined) {
    await startDns(above, { host: '127.0.0.4', port, delegated: ['a.example'] });
  }
  const machine = await startDns([...resolver, ...names, ...elsewhere], {
    recursive: true,
    ...(failing === undefined ? {} : { failing }),
  });
  const { world } = await connected({ body: [sending()] });
  const { stdout, exitCode } = await world.run(
    `domain check a.example --deep --json --timeout ${shortLimit}`,
    {
      dns: { machineServers: [machine.address], port },
    },
  );
  const document = JSON.parse(stdout);
  const messages = document.findings.map(
    (one: { code: string; message: string }) => `${one.code}: ${one.message}`,
  );
  return { exitCode, document, messages, first, other, machine };
}

test('the name servers of the zone are asked, not the resolver', onLinux, async () => {
  const { exitCode, document, messages, first, other, machine } = await check({});
  expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [] });
  expect(document.domains[0].zone).toBe('a.example');
  expect(first.questions).toContain('MX a.example');
  expect(other.questions).toContain('TXT k._domainkey.a.example');
  expect(machine.questions).toContain('TXT amazonses.com');
  expect(machine.questions).not.toContain('MX a.example');
});

test.each([
  [
    'REFUSED',
    'ns2.a.example, a name server of a.example, does not have the zone: 127.0.0.3 refused the query (REFUSED).',
  ],
  [
    'SERVFAIL',
    'ns2.a.example, a name server of a.example, does not have the zone: 127.0.0.3 could not resolve it (SERVFAIL).',
  ],
  [
    'silent',
    `ns2.a.example, a name server of a.example, cannot be reached: 127.0.0.3 did not respond within ${shortLimit} s.`,
  ],
] as const)('a lame server: %s', onLinux, async (failing, message) => {
  const { exitCode, messages } = await check({ options: { failing: { '': failing } } });
  expect({ exitCode, messages }).toEqual({ exitCode: 0, messages: [`server-lame: ${message}`] });
});

test('a server that only resolves is lame, too', onLinux, async () => {
  const { messages } = await check({ options: { recursive: true } });
  expect(messages).toEqual([
    'server-lame: ns2.a.example, a name server of a.example, does not have the zone: 127.0.0.3 gives no authoritative answer.',
  ]);
});

test(
  'a server whose address cannot be looked up is not lame; one without an address is',
  onLinux,
  async () => {
    const unknown = await check({ failing: { 'ns2.a.example': 'SERVFAIL' } });
    expect(unknown.messages).toEqual([]);
    const { messages } = await check({ resolver: but(two, 'ns2.a.example', 'A') });
    expect(messages).toEqual([
      'server-lame: ns2.a.example, a name server of a.example, has no address.',
    ]);
  },
);

test('a server that was not updated is named, with both values', onLinux, async () => {
  const old = but(two, '_dmarc.a.example', 'TXT', 'v=DMARC1; p=none');
  const { document, messages } = await check({ second: old });
  expect(messages).toEqual([
    'server-differs: TXT _dmarc.a.example: of 2 name servers, 127.0.0.3 differs from 127.0.0.2.',
  ]);
  expect(document.findings[0].evidence).toEqual([
    { question: 'TXT _dmarc.a.example', server: '127.0.0.2', answer: [dmarcOf('a.example')] },
    { question: 'TXT _dmarc.a.example', server: '127.0.0.3', answer: ['v=DMARC1; p=none'] },
  ]);
});

test('a resolver that remembers that a new record does not exist', onLinux, async () => {
  const { messages } = await check({ resolver: but(two, 'k._domainkey.a.example', 'TXT') });
  expect(messages).toEqual([
    'negative-cache: TXT k._domainkey.a.example exists, but other resolvers may say no for 55 more minutes.',
  ]);
});

test('the zone above names other servers than the zone', onLinux, async () => {
  const above: ZoneRecord[] = [
    ['a.example', 'NS', 'ns1.a.example'],
    ['a.example', 'NS', 'old.elsewhere.example'],
  ];
  const { messages } = await check({ above });
  expect(messages).toEqual([
    'delegation: The name servers of a.example differ: old.elsewhere.example only in example; ns2.a.example only in a.example.',
  ]);
  const same: ZoneRecord[] = two.filter(([, type]) => type === 'NS');
  expect((await check({ above: same })).messages).toEqual([]);
});

test(
  'if none of the name servers can be reached from here, the resolver is asked',
  onLinux,
  async () => {
    const machine = await startDns([...two, ...elsewhere], { recursive: true });
    const { world } = await connected({ body: [sending()] });
    const { stdout, exitCode } = await world.run(
      `domain check a.example --deep --json --timeout ${shortLimit}`,
      {
        dns: { machineServers: [machine.address], port: 1 },
      },
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], domains: [{ zone: null }] });
  },
);
