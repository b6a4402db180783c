import type { UseSend } from 'usesend-js';
import { expect, expectTypeOf, test } from 'vitest';
import type { storedDomains } from '../../../src/sandbox/model/domains.ts';
import { email, hour } from '../harness.ts';
import { dataOf, refusal, withClient } from './client.ts';
import { testThatAllWereRun } from './covered.ts';

const shop = { name: 'shop.test', region: 'eu-west-1' };

test('a domain is created, verified, used and deleted', async () => {
  const { client, advance } = await withClient();
  const created = dataOf(await client.domains.create(shop));
  expect(created).toMatchObject({ ...shop, status: 'PENDING', teamId: 1, isVerifying: false });
  expect(created.dnsRecords.map(({ type, name, ttl }) => `${type} ${name} ${ttl}`)).toEqual([
    'MX mail Auto',
    'TXT usesend._domainkey Auto',
    'TXT mail Auto',
    'TXT _dmarc Auto',
  ]);
  const mail = { ...email(), from: 'a@shop.test' };
  expect(await client.emails.send(mail)).toMatchObject(refusal('BAD_REQUEST'));

  expect(dataOf(await client.domains.verify(created.id))).toEqual({
    message: expect.any(String),
  });
  expect(dataOf(await client.domains.get(created.id))).toMatchObject({
    status: 'PENDING',
    isVerifying: true,
  });
  advance(hour);
  const verified = dataOf(await client.domains.get(created.id));
  expect(verified).toMatchObject({ status: 'SUCCESS', isVerifying: false });
  expect(dataOf(await client.domains.list())).toContainEqual(verified);
  dataOf(await client.emails.send(mail));

  const { id } = created;
  expect(dataOf(await client.domains.delete(id))).toMatchObject({ id, success: true });
  expect(await client.domains.get(id)).toMatchObject(refusal('INTERNAL_SERVER_ERROR'));
});

test('a verification can fail', async () => {
  const { client, advance } = await withClient();
  const { id } = dataOf(await client.domains.create({ ...shop, name: 'fail.test' }));
  dataOf(await client.domains.verify(id));
  advance(hour);
  expect(dataOf(await client.domains.get(id))).toMatchObject({
    status: 'FAILED',
    errorMessage: expect.any(String),
  });
});

test('create rejects an existing or invalid name', async () => {
  const { client } = await withClient();
  const taken = await client.domains.create({ ...shop, name: 'EXAMPLE.com' });
  expect(taken).toMatchObject(refusal('INTERNAL_SERVER_ERROR'));
  const bad = await client.domains.create({ ...shop, name: 'no domain' });
  expect(bad).toMatchObject(refusal('INTERNAL_SERVER_ERROR'));
});

test('domains have the type that the client declares', () => {
  type Shown = NonNullable<Awaited<ReturnType<UseSend['domains']['list']>>['data']>;
  expectTypeOf<ReturnType<typeof storedDomains>>().toExtend<Shown>();
});

testThatAllWereRun('domains');
