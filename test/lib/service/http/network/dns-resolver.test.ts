import { expect, test } from 'vitest';
import { InterruptedError } from '../../../../../src/lib/base/errors.ts';
import type { DnsOptions } from '../../../../../src/lib/base/system/dns.ts';
import { openDns } from '../../../../../src/lib/service/http/network/dns-resolver.ts';
import { startDns, type ZoneRecord } from '../../../../support/dns-server.ts';
import { patience } from '../../../../support/patience.ts';
import { shortLimit } from '../../../../support/time-limits.ts';

const { signal } = new AbortController();

function dnsAt(servers: readonly string[], options: Partial<DnsOptions> = {}) {
  return openDns({ servers, timeout: patience, signal, ...options });
}

test('values of every type, as text', async () => {
  const server = await startDns([
    ['a.example', 'MX', '10 mx1.a.example'],
    ['a.example', 'MX', '20 mx2.a.example'],
    ['a.example', 'TXT', ['v=spf1 ', '-all']],
    ['a.example', 'TXT', 'grüße; "quoted" \\ back'],
    ['a.example', 'NS', 'ns1.a.example'],
    ['a.example', 'SOA', 'ns1.a.example'],
    ['ns1.a.example', 'A', '192.0.2.1'],
    ['ns1.a.example', 'AAAA', '2001:db8::1'],
    ['b.a.example', 'CNAME', 'c.a.example'],
  ]);
  const dns = dnsAt([server.address]);
  const values = async (name: string, type: Parameters<typeof dns.lookUp>[1]) => {
    const answer = await dns.lookUp(name, type);
    return answer.kind === 'found' ? answer.values.toSorted() : answer;
  };
  expect(await values('a.example', 'MX')).toEqual(['10 mx1.a.example', '20 mx2.a.example']);
  expect(await values('a.example', 'TXT')).toEqual(['grüße; "quoted" \\ back', 'v=spf1 -all']);
  expect(await values('a.example', 'NS')).toEqual(['ns1.a.example']);
  expect(await values('a.example', 'SOA')).toEqual(['ns1.a.example']);
  expect(await values('ns1.a.example', 'A')).toEqual(['192.0.2.1']);
  expect(await values('ns1.a.example', 'AAAA')).toEqual(['2001:db8::1']);
  expect(await values('b.a.example', 'CNAME')).toEqual(['c.a.example']);
});

test('a missing name, and one without such a record', async () => {
  const server = await startDns([['a.example', 'TXT', 'hello']]);
  const dns = dnsAt([server.address]);
  const shared = { kind: 'none', authoritative: true, server: server.address };
  expect(await dns.lookUp('nowhere.example', 'TXT')).toEqual({ ...shared, exists: false });
  expect(await dns.lookUp('a.example', 'MX')).toEqual({ ...shared, exists: true });
});

test('how long an answer may be cached, and whether it was', async () => {
  const records: ZoneRecord[] = [
    ['a.example', 'SOA', 'ns1.a.example', 3300],
    ['a.example', 'TXT', 'one', 300],
    ['b.a.example', 'CNAME', 'a.example', 20],
  ];
  const server = await startDns(records);
  const resolver = await startDns(records, { recursive: true });
  const ask = dnsAt([server.address]);
  expect(await ask.lookUp('a.example', 'TXT')).toMatchObject({ ttl: 300, authoritative: true });
  expect(await ask.lookUp('x.a.example', 'TXT')).toMatchObject({ ttl: 3300, exists: false });
  expect(await ask.lookUp('a.example', 'MX')).toMatchObject({ ttl: 3300, exists: true });
  expect(await dnsAt([resolver.address]).lookUp('b.a.example', 'TXT')).toEqual({
    kind: 'found',
    values: ['one'],
    ttl: 20,
    authoritative: false,
    server: resolver.address,
  });
});

test('a referral is told apart from an answer', async () => {
  const records: ZoneRecord[] = [['a.example', 'NS', 'ns1.a.example']];
  const server = await startDns(records, { delegated: ['a.example'] });
  expect(await dnsAt([server.address]).lookUp('x.a.example', 'TXT')).toMatchObject({
    kind: 'none',
    authoritative: false,
    referral: ['ns1.a.example'],
  });
});

test('a response too long for a packet is read over TCP', async () => {
  const strings = Array.from({ length: 40 }, (_, index) => String(index % 10).repeat(255));
  const server = await startDns([['a.example', 'TXT', strings]]);
  const answer = await dnsAt([server.address]).lookUp('a.example', 'TXT');
  expect(answer).toMatchObject({ kind: 'found', values: [strings.join('')] });
});

test('a failed server is skipped; if all fail, the last one is named', async () => {
  const broken = await startDns([], { failing: { '': 'SERVFAIL' } });
  const refusing = await startDns([], { failing: { '': 'REFUSED' } });
  const good = await startDns([['a.example', 'TXT', 'hello']]);
  const found = { kind: 'found', values: ['hello'] };
  const all = dnsAt([broken.address, refusing.address, good.address]);
  expect(await all.lookUp('a.example', 'TXT')).toMatchObject(found);
  expect(await dnsAt([broken.address]).lookUp('a.example', 'TXT')).toMatchObject({
    kind: 'failed',
    reason: `${broken.address} could not resolve it (SERVFAIL).`,
  });
  expect(await dnsAt([broken.address, refusing.address]).lookUp('a.example', 'TXT')).toMatchObject({
    kind: 'failed',
    reason: `${refusing.address} refused the query (REFUSED).`,
  });
});

test('no response in time', async () => {
  const server = await startDns([], { failing: { '': 'silent' } });
  const answer = await dnsAt([server.address], { timeout: 1000 * shortLimit }).lookUp(
    'a.example',
    'TXT',
  );
  expect(answer).toMatchObject({
    kind: 'failed',
    reason: `${server.address} did not respond within ${shortLimit} s.`,
  });
});

test('a closed port', async () => {
  const answer = await dnsAt(['127.0.0.1:1']).lookUp('a.example', 'TXT');
  expect(answer).toMatchObject({ kind: 'failed', reason: '127.0.0.1:1 cannot be reached.' });
});

test('a name that is invalid in DNS', async () => {
  const server = await startDns([]);
  const answer = await dnsAt([server.address]).lookUp(`${'a'.repeat(64)}.example`, 'TXT');
  expect(answer).toMatchObject({ kind: 'failed', reason: 'This is not a valid DNS name.' });
});

test('an interruption ends a look-up at once, with its reason', async () => {
  const server = await startDns([], { failing: { '': 'silent' } });
  const controller = new AbortController();
  const reason = new InterruptedError('Interrupted.');
  const dns = dnsAt([server.address], { timeout: 60_000, signal: controller.signal });
  const answer = dns.lookUp('a.example', 'TXT');
  setImmediate(() => controller.abort(reason));
  await expect(answer).rejects.toBe(reason);
  await expect(dns.lookUp('a.example', 'TXT')).rejects.toBe(reason);
});

test('without servers, those of the machine; without a port, the default', async () => {
  const server = await startDns([['a.example', 'TXT', 'hello']]);
  const environment = { machineServers: ['127.0.0.1'], port: server.port };
  const dns = openDns({ timeout: patience, signal }, environment);
  expect(dns.servers).toEqual(['127.0.0.1']);
  expect(await dns.lookUp('a.example', 'TXT')).toMatchObject({ kind: 'found', values: ['hello'] });
  expect(openDns({ timeout: patience, signal }).servers.length).toBeGreaterThan(0);
});
