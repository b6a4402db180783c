import { describe, expect, test } from 'vitest';
import { day, email, envelope, hour, invalid, second, startSandbox } from '../harness.ts';

const noDomain = { status: 404, body: { error: 'Domain not found' } };
const failure = envelope(500, 'INTERNAL_SERVER_ERROR');

async function withDomain(name: string) {
  const sandbox = startSandbox();
  const created = await sandbox.request('POST', '/domains', {
    body: { name, region: 'eu-west-1' },
  });
  const id = Number(Object(created.body).id);
  const shown = async () => {
    const domains = await sandbox.ok('domain.list', {});
    return domains.find((domain) => domain.id === id);
  };
  return { ...sandbox, created, params: { id }, shown };
}

describe('list domains', () => {
  test('shows the seeded ones with their records, the newest first', async () => {
    const { ok } = startSandbox();
    const domains = await ok('domain.list', {});
    expect(domains.map(({ id, name, status }) => [id, name, status])).toEqual([
      [3, 'example.net', 'NOT_STARTED'],
      [2, 'example.org', 'PENDING'],
      [1, 'example.com', 'SUCCESS'],
    ]);
    const verified = domains.at(-1);
    expect(verified).toMatchObject({
      teamId: 1,
      region: 'us-east-1',
      clickTracking: false,
      openTracking: false,
      dkimStatus: 'SUCCESS',
      dmarcAdded: true,
      isVerifying: false,
      errorMessage: null,
      subdomain: '',
    });
    const ttl = 'Auto';
    expect(verified?.dnsRecords).toMatchObject([
      { type: 'MX', name: 'mail', priority: '10', ttl, status: 'SUCCESS' },
      { type: 'TXT', name: 'usesend._domainkey', value: `p=${verified?.publicKey}`, ttl },
      { type: 'TXT', name: 'mail', value: expect.stringMatching(/^v=spf1 /), ttl },
      {
        type: 'TXT',
        name: '_dmarc',
        value: expect.stringMatching(/^v=DMARC1;/),
        recommended: true,
      },
    ]);
  });

  test('names the records of a subdomain below the registered domain', async () => {
    const { shown } = await withDomain('news.shop.test');
    const domain = await shown();
    expect(domain?.subdomain).toBe('news');
    expect(domain?.dnsRecords.map(({ name }) => name)).toEqual([
      'mail.news',
      'usesend._domainkey.news',
      'mail.news',
      '_dmarc',
    ]);
  });
});

describe('verify domain', () => {
  test('responds at once, is pending, and succeeds at a later request for the domain', async () => {
    const { ok, advance, params } = await withDomain('shop.test');
    const look = () => ok('domain.get', { params });
    expect(await ok('domain.verify', { params })).toEqual({ message: expect.any(String) });
    expect(await look()).toMatchObject({ status: 'PENDING', isVerifying: true });
    advance(2 * second);
    expect(await look()).toMatchObject({ status: 'PENDING', isVerifying: true });
    advance(8 * second);
    const domain = await look();
    expect(domain).toMatchObject({
      status: 'SUCCESS',
      isVerifying: false,
      lastCheckedTime: '2026-01-31T12:00:10.000Z',
    });
    expect(domain.dnsRecords.map(({ status }) => status)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'NOT_STARTED',
    ]);
    await ok('email.send', { body: email({ from: 'a@shop.test' }) });
  });

  test('ends without a request for the domain only after an hour: lists and sends do not end it', async () => {
    const { ok, send, advance, params, shown } = await withDomain('shop.test');
    await ok('domain.verify', { params });
    advance(hour - 1);
    expect(await shown()).toMatchObject({ status: 'PENDING', isVerifying: true });
    const body = email({ from: 'a@shop.test' });
    expect(await send('email.send', { body })).toMatchObject(envelope(400, 'BAD_REQUEST'));
    expect(await shown()).toMatchObject({ status: 'PENDING', isVerifying: true });
    advance(1);
    expect(await shown()).toMatchObject({
      status: 'SUCCESS',
      isVerifying: false,
      updatedAt: '2026-01-31T13:00:00.000Z',
    });
    await ok('email.send', { body });
  });

  test('that has ended does not end again when the hour is over', async () => {
    const { ok, advance, params } = await withDomain('shop.test');
    await ok('domain.verify', { params });
    advance(5 * second);
    const ended = await ok('domain.get', { params });
    advance(day);
    // Only a check of the records returns the error and the time of that check.
    const { verificationError: _, lastCheckedTime: __, ...shown } = ended;
    expect(await ok('domain.get', { params })).toEqual(shown);
  });

  test('fails for a name that starts with fail, with the reason', async () => {
    const { ok, advance, params } = await withDomain('fail.test');
    await ok('domain.verify', { params });
    advance(10 * second);
    expect(await ok('domain.get', { params })).toMatchObject({
      status: 'FAILED',
      isVerifying: false,
      hasEverVerified: false,
      errorMessage: expect.stringContaining('DKIM'),
      dkimStatus: 'FAILED',
      dnsRecords: [{ status: 'SUCCESS' }, { status: 'FAILED' }, { status: 'SUCCESS' }, {}],
    });
  });

  test('of a failed domain only marks it, until its records are found', async () => {
    const { ok, advance, params, shown } = await withDomain('fail.test');
    await ok('domain.verify', { params });
    advance(10 * second);
    expect(await ok('domain.get', { params })).toMatchObject({ status: 'FAILED' });
    await ok('domain.verify', { params });
    const again = { status: 'FAILED', isVerifying: true };
    expect(await shown()).toMatchObject(again);
    expect(await ok('domain.get', { params })).toMatchObject(again);
    advance(10 * second);
    expect(await ok('domain.get', { params })).toMatchObject({ ...again, isVerifying: false });
  });

  test('of a domain that was not started only marks it', async () => {
    const { ok, advance } = startSandbox();
    const params = { id: 3 };
    await ok('domain.verify', { params });
    const marked = { status: 'NOT_STARTED', isVerifying: true };
    expect(await ok('domain.get', { params })).toMatchObject(marked);
    advance(3 * second);
    expect(await ok('domain.get', { params })).toMatchObject({
      status: 'SUCCESS',
      hasEverVerified: true,
    });
  });

  test('ends only after it was started, and a second start changes nothing', async () => {
    const { ok, advance } = startSandbox();
    const look = async () => (await ok('domain.get', { params: { id: 2 } })).status;
    advance(100 * second);
    expect(await look()).toBe('PENDING');
    await ok('domain.verify', { params: { id: 2 } });
    advance(2 * second);
    await ok('domain.verify', { params: { id: 2 } });
    advance(1 * second);
    expect(await look()).toBe('SUCCESS');
  });

  test('of a verified domain leaves it verified meanwhile', async () => {
    const { ok } = startSandbox();
    await ok('domain.verify', { params: { id: 1 } });
    const domains = await ok('domain.list', {});
    expect(domains.at(-1)).toMatchObject({ id: 1, status: 'SUCCESS', isVerifying: true });
  });

  test('of an unknown domain is a bare 404, and of an invalid id a 400', async () => {
    const { request } = startSandbox();
    expect(await request('PUT', '/domains/99/verify')).toMatchObject(noDomain);
    expect(await request('PUT', '/domains/abc/verify')).toMatchObject(invalid('id'));
  });
});

describe('delete domain', () => {
  test('removes it', async () => {
    const { ok, request } = startSandbox();
    const params = { id: 3 };
    const reply = { id: 3, success: true, message: expect.any(String) };
    expect(await ok('domain.delete', { params })).toEqual(reply);
    expect(await request('DELETE', '/domains/3')).toMatchObject(noDomain);
    expect(await ok('domain.list', {})).toHaveLength(2);
  });
});

describe('domains, beyond the specification', () => {
  test('are created and shown one by one', async () => {
    const { created, request, params } = await withDomain('Shop.test');
    expect(created.body).toMatchObject({
      name: 'shop.test',
      status: 'PENDING',
      region: 'eu-west-1',
    });
    expect((await request('GET', `/domains/${params.id}`)).body).toEqual(created.body);
    const status = 'NOT_STARTED';
    expect(created.body).toMatchObject({
      dkimStatus: status,
      spfDetails: status,
      dnsRecords: [{ status }, { status }, { status }, { status, value: 'v=DMARC1; p=none;' }],
    });
    expect(await request('GET', '/domains/99')).toMatchObject(failure);
    expect(await request('GET', '/domains/abc')).toMatchObject(invalid('id'));
  });

  test.each([
    { name: 'example.com', region: 'us-east-1' },
    { name: 'EXAMPLE.com', region: 'us-east-1' },
    { name: 'no domain', region: 'us-east-1' },
    { name: 'shop.test', region: 'mars-1' },
  ])('are not created from %j, with which live servers fail', async (body) => {
    const { ok, request } = startSandbox();
    expect(await request('POST', '/domains', { body })).toMatchObject(failure);
    expect(await ok('domain.list', {})).toHaveLength(3);
  });

  test('have a region; a missing one is reported', async () => {
    const { request } = startSandbox();
    expect(await request('POST', '/domains', { body: { name: 'shop.test' } })).toMatchObject(
      invalid('region'),
    );
  });
});
