import { expect, test } from 'vitest';
import { email, envelope, hour, invalid, second, startSandbox } from '../harness.ts';

/** Creates emails with the subjects `1` to `count`, a second apart; the seeded ones are older. */
async function withEmails(count: number) {
  const sandbox = startSandbox();
  for (let index = 1; index <= count; index++) {
    await sandbox.ok('email.send', { body: email({ subject: String(index) }) });
    sandbox.advance(second);
  }
  const subjects = async (query: Parameters<typeof sandbox.ok<'email.list'>>[1]['query']) => {
    const { data } = await sandbox.ok('email.list', { query });
    return data.map(({ subject }) => subject);
  };
  return { ...sandbox, subjects };
}

test('shows the newest first, in full, with the count of all', async () => {
  const { ok } = await withEmails(3);
  const { data, count } = await ok('email.list', { query: { limit: 1 } });
  expect(count).toBe(5);
  expect(data).toEqual([
    {
      id: expect.any(String),
      to: ['delivered@example.com'],
      cc: [],
      bcc: [],
      replyTo: [],
      from: 'Shop <shop@example.com>',
      subject: '3',
      html: null,
      text: 'Hi',
      createdAt: '2026-01-31T12:00:02.000Z',
      updatedAt: '2026-01-31T12:00:03.000Z',
      latestStatus: 'DELIVERED',
      scheduledAt: null,
      domainId: 1,
    },
  ]);
});

test('has 50 on a page by default', async () => {
  const sandbox = startSandbox();
  const body = Array.from({ length: 60 }, (_, index) => email({ subject: String(index) }));
  await sandbox.ok('email.batch', { body });
  expect((await sandbox.ok('email.list', { query: {} })).data).toHaveLength(50);
  expect((await sandbox.ok('email.list', { query: { page: 2 } })).data).toHaveLength(12);
  const third = await sandbox.ok('email.list', { query: { page: 3 } });
  expect(third).toEqual({ data: [], count: 62 });
});

test('pages; new mail shifts items to the next page', async () => {
  const { ok, subjects } = await withEmails(4);
  expect(await subjects({ page: 1, limit: 2 })).toEqual(['4', '3']);
  await ok('email.send', { body: email({ subject: '5' }) });
  expect(await subjects({ page: 2, limit: 2 })).toEqual(['3', '2']);
});

test('is bounded by startDate or endDate, included; of both the end alone counts', async () => {
  const { subjects, ok } = await withEmails(4);
  const startDate = '2026-01-31T12:00:01Z';
  const endDate = '2026-01-31T12:00:02.000Z';
  expect(await subjects({ startDate })).toEqual(['4', '3', '2']);
  expect(await subjects({ startDate, endDate })).toEqual(await subjects({ endDate }));
  expect((await ok('email.list', { query: { endDate } })).count).toBe(5);
});

test('is limited to domains', async () => {
  const { ok, advance, request } = startSandbox();
  await ok('domain.verify', { params: { id: 2 } });
  advance(hour);
  await ok('email.send', { body: email({ from: 'a@example.org' }) });
  const counts = [];
  for (const query of ['domainId=1', 'domainId=2', 'domainId=1&domainId=2', 'domainId=3']) {
    counts.push((await request('GET', `/emails?${query}`)).body);
  }
  expect(counts).toMatchObject([{ count: 2 }, { count: 1 }, { count: 3 }, { count: 0 }]);
});

test.each([
  ['limit=0', 'limit'],
  ['limit=51', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=', 'limit'],
  ['page=1.5', 'page'],
  ['startDate=2026-01-31', 'startDate'],
  ['endDate=2026-01-31T12:00:00%2B01:00', 'endDate'],
  ['startDate=2026-01-31T12:00:00Z&startDate=2026-01-31T12:00:00Z', 'startDate'],
  ['page=1&page=2', 'page'],
])('rejects %s', async (query, field) => {
  const { request } = startSandbox();
  expect(await request('GET', `/emails?${query}`)).toMatchObject(invalid(field));
});

test.each(['domainId=1&domainId=x', 'page=-1', 'page=x', 'page='])(
  'fails on %s as live servers do',
  async (query) => {
    const { request } = startSandbox();
    expect(await request('GET', `/emails?${query}`)).toMatchObject(
      envelope(500, 'INTERNAL_SERVER_ERROR'),
    );
  },
);

test('fails on page 0, and drops unknown parameters', async () => {
  const { request } = startSandbox();
  const failure = envelope(500, 'INTERNAL_SERVER_ERROR');
  expect(await request('GET', '/emails?page=0')).toMatchObject(failure);
  expect(await request('GET', '/emails?pages=7')).toMatchObject({ status: 200 });
});
