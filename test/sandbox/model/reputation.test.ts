import { expect, test } from 'vitest';
import { blockedApiKey } from '../../../src/sandbox/model/account.ts';
import { startSandbox } from '../harness.ts';

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

test('ends in BLOCKED for the blocked account', async () => {
  const { request } = startSandbox();
  const reply = await request('GET', '/reputation/events?limit=2', { key: blockedApiKey });
  expect(reply.body).toMatchObject([{ toState: 'BLOCKED' }, { id: 'rep_8' }]);
});
