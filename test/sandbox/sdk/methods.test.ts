import { UseSend } from 'usesend-js';
import { describe, expect, test } from 'vitest';
import { withClient } from './client.ts';
import { methods, ownMethods, resources } from './methods.ts';

/** The names of the methods that the object's class declares. */
function methodsOf(object: object): string[] {
  const declared = Object.getOwnPropertyNames(Object.getPrototypeOf(object));
  return declared.filter((name) => name !== 'constructor').sort();
}

describe('the list of methods', () => {
  const client = new UseSend('us_key', 'http://127.0.0.1:9');

  test('has every resource of the client', () => {
    const parts = Object.entries(client).filter(
      ([, part]) => typeof part === 'object' && part !== null && !(part instanceof Headers),
    );
    expect(parts.map(([name]) => name).sort()).toEqual([...resources].sort());
  });

  test.each(resources)('has every method of %s', (resource) => {
    expect(Object.keys(methods[resource]).sort()).toEqual(methodsOf(client[resource]));
  });

  test('has every method of the client itself', () => {
    expect(ownMethods).toEqual(methodsOf(client));
  });
});

const all = resources.flatMap((resource) =>
  Object.entries(methods[resource]).map(([name, method]) => ({
    name: `${resource}.${name}`,
    ...method,
  })),
);

describe('the results of every method', () => {
  const envelope = (code: string) => ({
    data: null,
    error: { error: { code, message: expect.any(String) } },
  });

  test.each(all)('$name, without a key: 401', async ({ call }) => {
    const { clientWith } = await withClient();
    expect(await call(clientWith(' '))).toMatchObject(envelope('UNAUTHORIZED'));
  });

  test.each(all)('$name, with a wrong key: 403', async ({ call }) => {
    const { clientWith } = await withClient();
    expect(await call(clientWith('us_wrong'))).toMatchObject(envelope('FORBIDDEN'));
  });

  test.each(all)('$name, too often: 429', async ({ call }) => {
    const { client } = await withClient({ rateLimit: 1 });
    await client.domains.list();
    expect(await call(client)).toMatchObject(envelope('RATE_LIMITED'));
  });

  const bare = ['domains.verify', 'domains.delete', 'contactBooks.delete'];
  const notAboutOne = [
    // It fails on live servers.
    'domains.get',
    'emails.send',
    'emails.create',
    'emails.batch',
    'domains.list',
    'domains.create',
    'contactBooks.list',
    'contactBooks.create',
    'campaigns.create',
    'campaigns.getAll',
    'analytics.emailTimeSeries',
    'analytics.reputationMetrics',
  ];

  test.each(all.filter(({ name }) => !notAboutOne.includes(name)))(
    '$name, of what is not there: 404',
    async ({ name, call }) => {
      const { client } = await withClient();
      const expected = bare.includes(name)
        ? { data: null, error: expect.any(String) }
        : envelope('NOT_FOUND');
      expect(await call(client)).toMatchObject(expected);
    },
  );
});

test('operations that the client has no method for are reached by its own get', async () => {
  const { client } = await withClient();
  const emails = await client.get('/emails?page=1&limit=1&startDate=2026-01-01T00:00:00Z');
  expect(emails).toMatchObject({
    error: null,
    data: { count: 2, data: [{ id: 'email_receipt' }] },
  });
  const offset = await client.get('/emails?startDate=2026-01-01T00:00:00%2B01:00');
  expect(offset).toMatchObject({ data: null, error: { name: 'ZodError' } });
  expect(await client.get('/emails?page=0')).toMatchObject({
    error: { error: { code: 'INTERNAL_SERVER_ERROR' } },
  });
  const limits = { '999': 8, '0': 1, '-5': 1, x: 8, '2.9': 2 };
  for (const [limit, count] of Object.entries(limits)) {
    const { data } = await client.get<unknown[]>(`/reputation/events?limit=${limit}`);
    expect(data).toHaveLength(count);
  }
  // 404 in plain text, which the client recognises by its status.
  const nothing = { code: 'INTERNAL_SERVER_ERROR', message: 'Not Found' };
  expect(await client.get('/webhooks')).toEqual({ data: null, error: nothing });
});

test('checks webhooks by itself, without a request', async () => {
  const { client, requests } = await withClient();
  const webhooks = client.webhooks('whsec_x');
  expect(webhooks.verify('{}', { headers: {} })).toBe(false);
  expect(() => webhooks.constructEvent('{}', { headers: {} })).toThrow('Missing');
  expect(requests).toEqual([]);
});
