import type { UseSend } from 'usesend-js';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { shownCampaign, shownSummary } from '../../../src/sandbox/model/campaign/campaigns.ts';
import { campaign, hour } from '../harness.ts';
import { dataOf, invalidAt, refusal, withClient } from './client.ts';
import { testThatAllWereRun } from './covered.ts';

const badRequest = refusal('BAD_REQUEST');

test('a campaign goes from draft to sent, with a pause in between', async () => {
  const { client, advance } = await withClient();
  const { id } = dataOf(await client.campaigns.create({ ...campaign(), batchSize: 4 }));
  expect(dataOf(await client.campaigns.schedule(id, { scheduledAt: 'in 2 hours' }))).toEqual({
    success: true,
  });
  const status = async () => dataOf(await client.campaigns.get(id)).status;
  expect(await status()).toBe('SCHEDULED');
  advance(2 * hour);
  expect(await status()).toBe('RUNNING');
  expect(dataOf(await client.campaigns.pause(id))).toEqual({ success: true });
  advance(hour);
  expect(dataOf(await client.campaigns.get(id))).toMatchObject({ status: 'PAUSED', sent: 4 });
  expect(dataOf(await client.campaigns.resume(id))).toEqual({ success: true });
  advance(hour);
  expect(dataOf(await client.campaigns.get(id))).toMatchObject({
    status: 'SENT',
    total: 11,
    sent: 11,
    bounced: 1,
    hardBounced: 1,
  });
  expect(dataOf(await client.campaigns.delete(id))).toMatchObject({
    id,
    teamId: 1,
    domainId: 1,
    isApi: true,
    lastCursor: expect.any(String),
    lastSentAt: expect.any(String),
  });
  expect(await client.campaigns.get(id)).toMatchObject(refusal('NOT_FOUND'));
});

describe('create', () => {
  test.each([
    ['name', { name: '' }],
    ['from', { from: '' }],
    ['contactBookId', { contactBookId: '' }],
    ['batchSize', { batchSize: 0 }],
    ['batchSize', { batchSize: 100_001 }],
  ])('reports an invalid %s', async (field, fields) => {
    const { client } = await withClient();
    const reply = await client.campaigns.create({ ...campaign(), ...fields });
    expect(reply).toMatchObject(invalidAt(field));
  });

  test('with a date that cannot be read leaves a draft', async () => {
    const { client } = await withClient();
    for (const scheduledAt of ['2 days', 'end of month', 'soonish']) {
      const reply = await client.campaigns.create({ ...campaign(), scheduledAt });
      expect(reply).toMatchObject(badRequest);
    }
    const { campaigns } = dataOf(await client.campaigns.getAll({ status: 'DRAFT' }));
    expect(campaigns).toHaveLength(3);
  });

  test('with a date that is read as a past one sends at once', async () => {
    const { client } = await withClient();
    const scheduledAt = 'january 5';
    const { id } = dataOf(await client.campaigns.create({ ...campaign(), scheduledAt }));
    expect(dataOf(await client.campaigns.get(id))).toMatchObject({
      scheduledAt: '2026-01-05T12:00:00.000Z',
      status: 'RUNNING',
    });
  });

  test('with sendNow ignores the date', async () => {
    const { client } = await withClient();
    const now = { sendNow: true, scheduledAt: 'never' };
    const created = dataOf(await client.campaigns.create({ ...campaign(), ...now }));
    expect(created.status).toBe('SCHEDULED');
  });
});

test('resume sends a draft', async () => {
  const { client, advance } = await withClient();
  const { id } = dataOf(await client.campaigns.create(campaign()));
  dataOf(await client.campaigns.resume(id));
  advance(hour);
  expect(dataOf(await client.campaigns.get(id))).toMatchObject({ status: 'SENT', sent: 11 });
});

test('getAll pages by 30, filters and searches', async () => {
  const { client } = await withClient();
  for (let index = 1; index <= 31; index++) {
    dataOf(await client.campaigns.create({ ...campaign(), name: `Week ${index}` }));
  }
  const counted = async (query: Parameters<typeof client.campaigns.getAll>[0]) => {
    const { campaigns, totalPage } = dataOf(await client.campaigns.getAll(query));
    return [campaigns.length, totalPage];
  };
  expect(await counted({})).toEqual([30, 2]);
  expect(await counted({ page: '2' })).toEqual([1, 2]);
  expect(await counted({ search: 'WEEK 3' })).toEqual([3, 1]);
  expect(await counted({ status: 'SENT' })).toEqual([0, 0]);
  for (const page of ['-1', '0', 'x']) {
    const reply = await client.campaigns.getAll({ page });
    expect(reply).toMatchObject(refusal('INTERNAL_SERVER_ERROR'));
  }
});

test('schedule reports what it cannot do', async () => {
  const { client } = await withClient();
  const { id } = dataOf(await client.campaigns.create(campaign()));
  expect(await client.campaigns.schedule(id, { scheduledAt: 'soonish' })).toMatchObject(badRequest);
  const size = await client.campaigns.schedule(id, { batchSize: 0.5 });
  expect(size).toMatchObject(invalidAt('batchSize'));
  const book = dataOf(await client.contactBooks.create({ name: 'Empty' }));
  const empty = dataOf(await client.campaigns.create(campaign({ contactBookId: book.id })));
  expect(await client.campaigns.schedule(empty.id, {})).toMatchObject(badRequest);
});

test('campaigns have the types that the client declares', () => {
  type Campaigns = UseSend['campaigns'];
  type Shown = NonNullable<Awaited<ReturnType<Campaigns['get']>>['data']>;
  type Listed = NonNullable<Awaited<ReturnType<Campaigns['getAll']>>['data']>['campaigns'][number];
  expectTypeOf<ReturnType<typeof shownCampaign>>().toExtend<Shown>();
  expectTypeOf<ReturnType<typeof shownSummary>>().toExtend<Listed>();
});

testThatAllWereRun('campaigns');
