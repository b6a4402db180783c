import { describe, expect, test } from 'vitest';
import { email, envelope, hour, invalid, second, startSandbox } from '../harness.ts';

const later = '2026-01-31T15:00:00.000Z';
const badRequest = envelope(400, 'BAD_REQUEST');

async function scheduled() {
  const sandbox = startSandbox();
  const body = email({ scheduledAt: '2026-01-31T14:00:00+01:00' });
  const { emailId } = await sandbox.ok('email.send', { body });
  const item = async () => {
    const { data } = await sandbox.ok('email.list', { query: {} });
    return data.find(({ id }) => id === emailId);
  };
  const events = async () => {
    const { emailEvents } = await sandbox.ok('email.get', { params: { emailId } });
    return emailEvents.map(({ status, createdAt }) => `${status} ${createdAt}`);
  };
  return { ...sandbox, params: { emailId }, item, events };
}

describe('a scheduled email', () => {
  test('is sent with its scheduled time, however late it is processed', async () => {
    const { advance, item, events } = await scheduled();
    expect(await item()).toMatchObject({
      latestStatus: 'SCHEDULED',
      scheduledAt: '2026-01-31T13:00:00.000Z',
    });
    advance(hour - 1);
    expect(await item()).toMatchObject({ latestStatus: 'SCHEDULED' });
    advance(24 * hour);
    expect(await item()).toMatchObject({ latestStatus: 'DELIVERED' });
    expect(await events()).toEqual([
      'DELIVERED 2026-01-31T13:00:01.000Z',
      'SENT 2026-01-31T13:00:00.300Z',
    ]);
  });

  test('is sent at once when its time is past', async () => {
    const { ok, advance } = startSandbox();
    const body = email({ scheduledAt: '2020-01-01T00:00:00Z' });
    const { emailId } = await ok('email.send', { body });
    advance(2 * second);
    const { emailEvents } = await ok('email.get', { params: { emailId } });
    expect(emailEvents).toHaveLength(2);
  });
});

describe('reschedule', () => {
  test('moves the time', async () => {
    const { ok, advance, params, item } = await scheduled();
    expect(await ok('email.reschedule', { params, body: { scheduledAt: later } })).toEqual(params);
    advance(2 * hour);
    expect(await item()).toMatchObject({ latestStatus: 'SCHEDULED', scheduledAt: later });
    advance(1 * hour);
    expect(await item()).toMatchObject({ latestStatus: 'QUEUED' });
  });

  test('to the past sends at once', async () => {
    const { ok, params, item } = await scheduled();
    await ok('email.reschedule', { params, body: { scheduledAt: '2020-01-01T00:00:00Z' } });
    expect(await item()).toMatchObject({ latestStatus: 'QUEUED' });
  });

  test('accepts UTC with Z only', async () => {
    const { request, params } = await scheduled();
    for (const scheduledAt of ['2026-01-31T16:00:00+01:00', '2026-02-01', 'tomorrow', undefined]) {
      const reply = await request('PATCH', `/emails/${params.emailId}`, { body: { scheduledAt } });
      expect(reply).toMatchObject(invalid('scheduledAt'));
    }
  });

  test('is rejected once the email is sent, and for an unknown email', async () => {
    const { send, advance, params } = await scheduled();
    advance(hour);
    const body = { scheduledAt: later };
    expect(await send('email.reschedule', { params, body })).toMatchObject(badRequest);
    const missing = { params: { emailId: 'none' }, body };
    expect(await send('email.reschedule', missing)).toMatchObject(envelope(404, 'NOT_FOUND'));
  });
});

describe('cancel', () => {
  test('cancels the email permanently', async () => {
    const { ok, advance, params, item, events } = await scheduled();
    expect(await ok('email.cancel', { params })).toEqual(params);
    advance(24 * hour);
    expect(await item()).toMatchObject({ latestStatus: 'CANCELLED' });
    expect(await events()).toEqual(['CANCELLED 2026-01-31T12:00:00.000Z']);
  });

  test('is rejected the second time, and once the email is sent', async () => {
    const { ok, send, params } = await scheduled();
    await ok('email.cancel', { params });
    expect(await send('email.cancel', { params })).toMatchObject(badRequest);
    const sent = { params: { emailId: 'email_receipt' } };
    expect(await send('email.cancel', sent)).toMatchObject(badRequest);
  });

  test('of one that is not there is a 404, and of a short id a 400', async () => {
    const { request } = startSandbox();
    expect(await request('POST', '/emails/none/cancel')).toMatchObject(envelope(404, 'NOT_FOUND'));
    expect(await request('POST', '/emails/ab/cancel')).toMatchObject(invalid('emailId'));
  });
});

describe('fetch', () => {
  test('of one that is not there is a 404, and of a short id a 400', async () => {
    const { request } = startSandbox();
    expect(await request('GET', '/emails/none')).toMatchObject(envelope(404, 'NOT_FOUND'));
    expect(await request('GET', '/emails/ab')).toMatchObject(invalid('emailId'));
  });
});
