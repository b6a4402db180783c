import { expect, test } from 'vitest';
import { blockedApiKey } from '../../../src/sandbox/model/api-account.ts';
import { invalid, startSandbox } from '../harness.ts';

test('shows the changes of state, newest first, each from the state before it', async () => {
  const { ok } = startSandbox();
  const events = await ok('reputation.events', { query: {} });
  expect(events).toHaveLength(8);
  expect(events[0]).toEqual({
    id: 'rep_8',
    fromState: 'WARNING',
    toState: 'HEALTHY',
    bounceRate: 1.943,
    sampleSize: 3088,
    actor: 'system',
    reason: null,
    createdAt: '2026-01-24T12:00:00.000Z',
  });
  const times = events.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted().reverse());
  for (const [index, event] of events.slice(0, -1).entries()) {
    expect(event.fromState).toBe(events[index + 1]?.toState);
  }
  expect(events.some(({ actor }) => actor === 'suporte')).toBe(true);
});

test.each([
  ['limit=3', 3],
  ['limit=0', 1],
  ['limit=-5', 1],
  ['limit=9999', 8],
  ['limit=2.7', 2],
  ['limit=x', 8],
  ['limit=', 8],
])('clamps %s and never fails', async (query, count) => {
  const { request } = startSandbox();
  const reply = await request('GET', `/reputation/events?${query}`);
  expect(reply.status).toBe(200);
  expect(reply.body).toHaveLength(count);
});

test.each([
  ['days=0&limit=0', 1],
  ['days=91', 90],
  ['days=2.7&limit=999', 2],
  ['days=x&limit=x', 30],
])('clamps the period %s and never fails', async (query, days) => {
  const { request } = startSandbox();
  const bounces = await request('GET', `/reputation/bounce-breakdown?${query}`);
  expect(bounces).toMatchObject({ status: 200, body: { days } });
  expect(await request('GET', `/reputation/timeseries?${query}`)).toMatchObject({ status: 200 });
});

test('a limit that is given twice is rejected', async () => {
  const { request } = startSandbox();
  const reply = await request('GET', '/reputation/events?limit=1&limit=2');
  expect(reply).toMatchObject(invalid('limit'));
});

test('ends in BLOCKED for the blocked account', async () => {
  const { request } = startSandbox();
  const reply = await request('GET', '/reputation/events?limit=2', { key: blockedApiKey });
  expect(reply.body).toMatchObject([{ toState: 'BLOCKED' }, { id: 'rep_8' }]);
});
