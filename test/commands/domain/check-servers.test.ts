import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { type DnsServerOptions, startDns, type ZoneRecord } from '../../support/dns-server.ts';
import { shortLimit } from '../../support/time-limits.ts';
import {
  domainWithRecords,
  longKey,
  published,
  publishedBut,
  senders,
  spf,
} from './dns-domains.ts';

/** The name servers of a zone, of which every one is asked. */

const key = 'k._domainkey.a.example';

/** Checks `a.example`, whose two name servers have these records. */
async function checkAt(
  first: readonly ZoneRecord[],
  second: readonly ZoneRecord[],
  options: DnsServerOptions = {},
  flags = '--json',
) {
  const one = await startDns(first);
  const other = await startDns(second, { ...options, host: '127.0.0.2', port: one.port });
  const resolver = await startDns([
    ['a.example', 'NS', 'ns1.a.example'],
    ['a.example', 'NS', 'ns2.a.example'],
    ['ns1.a.example', 'A', '127.0.0.1'],
    ['ns2.a.example', 'A', '127.0.0.2'],
    senders,
  ]);
  const { world } = await connected({ body: [domainWithRecords()] });
  const result = await world.run(`domain check 4 --timeout ${shortLimit} ${flags}`, {
    dns: { machineServers: [resolver.address], port: one.port },
  });
  return { ...result, one, other };
}

test('all servers are asked, and listed', async () => {
  const { exitCode, stdout, one, other } = await checkAt(published, published);
  expect(exitCode).toBe(0);
  const document = JSON.parse(stdout);
  expect(document.resolvers).toEqual([
    { source: 'authoritative', zone: 'a.example', servers: ['127.0.0.1', '127.0.0.2'] },
  ]);
  expect(document.records[1]).not.toHaveProperty('answers');
  for (const { questions } of [one, other]) expect(questions).toContain(`TXT ${key}`);
});

test('one that has nothing yet is named', async () => {
  const { exitCode, stdout } = await checkAt(published, publishedBut(key, 'TXT'));
  expect(exitCode).toBe(9);
  expect(JSON.parse(stdout).records[1]).toMatchObject({
    ...{ status: 'missing', found: [] },
    problem: `The name servers differ. 127.0.0.1: the record is correct. 127.0.0.2: ${key} does not exist.`,
    answers: [
      { servers: ['127.0.0.1'], found: [longKey], status: 'ok' },
      { servers: ['127.0.0.2'], found: [], status: 'missing', problem: `${key} does not exist.` },
    ],
  });
});

test('one that has another value is named, with its answer', async () => {
  const old = 'v=spf1 include:other.example ~all';
  const { exitCode, stdout } = await checkAt(
    publishedBut('mail.a.example', 'TXT', old),
    published,
    {},
    '',
  );
  expect(exitCode).toBe(9);
  expect(stdout).toContain(
    `wrong\ttrue\t${spf}\t${old}\tThe name servers differ. 127.0.0.1: The SPF record is missing include:amazonses.com. 127.0.0.2: the record is correct.\n`,
  );
});

test('different answers that are both good are no problem', async () => {
  const more = publishedBut('mail.a.example', 'TXT', spf, 'site-verification=1');
  const { exitCode, stdout } = await checkAt(published, more);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).records[2]).toMatchObject({ status: 'ok', found: [spf] });
});

test('only the recommended record differs: 0', async () => {
  const { exitCode, stdout } = await checkAt(published, publishedBut('_dmarc.a.example', 'TXT'));
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).records[3]).toMatchObject({ status: 'missing', required: false });
});

test.each(['SERVFAIL', 'REFUSED', 'silent'] as const)(
  'the answer of the others counts where one fails: %s',
  async (failing) => {
    const { exitCode, stdout } = await checkAt(published, published, {
      failing: { [key]: failing },
    });
    expect(exitCode).toBe(0);
    const { records } = JSON.parse(stdout);
    expect(records[1]).toMatchObject({ status: 'ok' });
    expect(records[1]).not.toHaveProperty('answers');
  },
);

test('the answer of the others counts where one leaves the name to other servers', async () => {
  const delegated: ZoneRecord[] = [...published, [key, 'NS', 'ns.elsewhere.example']];
  const { exitCode } = await checkAt(published, delegated, { delegated: [key] });
  expect(exitCode).toBe(0);
});

test('a name that all leave to other servers is unknown, not missing', async () => {
  const zone: ZoneRecord[] = [...published, [key, 'NS', 'ns.elsewhere.example']];
  const dns = await startDns(zone, { delegated: [key] });
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stdout } = await world.run(`domain check 4 --resolver ${dns.address}`);
  expect(exitCode).toBe(7);
  expect(stdout).toContain(
    `unknown\ttrue\t${longKey}\t\t${dns.address} leaves this name to ns.elsewhere.example.\n`,
  );
});

test('one that answers from a cache is no name server of the zone', async () => {
  const { exitCode, stdout } = await checkAt(published, publishedBut(key, 'TXT'), {
    recursive: true,
  });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).resolvers[0].servers).toEqual(['127.0.0.1']);
});

test('one that does not respond at all is not listed', async () => {
  const { exitCode, stdout } = await checkAt(published, [], { failing: { '': 'silent' } });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).resolvers).toEqual([
    { source: 'authoritative', zone: 'a.example', servers: ['127.0.0.1'] },
  ]);
});

test('an alias that one server has and the other one not', async () => {
  const target: ZoneRecord[] = [
    ...publishedBut(key, 'TXT'),
    ['k.a.example', 'TXT', [longKey.slice(0, 255), longKey.slice(255)]],
  ];
  const alias: ZoneRecord = [key, 'CNAME', 'k.a.example'];
  const { exitCode, stdout } = await checkAt([...target, alias], target);
  expect(exitCode).toBe(9);
  expect(JSON.parse(stdout).records[1].problem).toBe(
    `The name servers differ. 127.0.0.1: the record is correct. 127.0.0.2: ${key} does not exist.`,
  );
});

test('of several --resolver, only those that were asked are listed', async () => {
  const [first, second] = [await startDns(published), await startDns(published)];
  const { world } = await connected({ body: [domainWithRecords()] });
  const { stderr } = await world.run(
    `domain check 4 --resolver ${first.address} --resolver ${second.address}`,
  );
  expect(stderr).toContain(`Asked: ${first.address}.\n`);
  expect(second.questions).toEqual([]);
});

test('an alias that cannot be looked up is unknown, not missing', async () => {
  const dns = await startDns(publishedBut(key, 'TXT'), {
    failing: { [`CNAME ${key}`]: 'SERVFAIL' },
  });
  const { world } = await connected({ body: [domainWithRecords()] });
  const { stdout } = await world.run(`domain check 4 --resolver ${dns.address}`);
  expect(stdout).toContain(`TXT\t${key}\tunknown\ttrue`);
});

test('a long answer comes over TCP', async () => {
  const long = Array.from(
    { length: 30 },
    (_, index) => `site-verification-${index}=${'x'.repeat(60)}`,
  );
  const { exitCode } = await checkAt(
    publishedBut('mail.a.example', 'TXT', spf, ...long),
    published,
  );
  expect(exitCode).toBe(0);
});
