import { describe, expect, test } from 'vitest';
import { ClockOutOfRange } from '../../../src/sandbox/model/advance.ts';
import { resetSandbox } from '../../../src/sandbox/open.ts';
import { patience } from '../../support/patience.ts';
import {
  campaign,
  day,
  email,
  hour,
  second,
  start,
  startSandbox,
  type TestSandbox,
  temporaryDirectory,
} from '../harness.ts';

const origin = 'http://sandbox.test';

/** Advances the sandbox's own clock, as `sandbox advance` does, but not the real one. */
function move({ sandbox }: TestSandbox, by: number) {
  return sandbox.advance(by, () => void sandbox.catchUp(origin));
}

/** A time of the sandbox, as in a reply. */
function iso(after: number): string {
  return new Date(start + after).toISOString();
}

describe('when the clock advances', () => {
  test('Date shows it, because clients use it to count how long a key is remembered', async () => {
    const service = startSandbox();
    const dates = async () => {
      const { headers } = await service.request('GET', '/domains');
      const refused = await service.request('GET', '/domains', { key: null });
      return [headers.get('Date'), refused.headers.get('Date')];
    };
    const shown = (ms: number) => Array(2).fill(new Date(start + ms).toUTCString());
    expect(await dates()).toEqual(shown(0));
    await move(service, day);
    expect(await dates()).toEqual(shown(day));
  });

  test('scheduled mail is sent, and its events have their own times', async () => {
    const service = startSandbox();
    const scheduledAt = iso(2 * hour);
    const { emailId } = await service.ok('email.send', { body: email({ scheduledAt }) });
    await service.ok('email.send', { body: email({ scheduledAt: iso(2 * day) }) });

    expect(await move(service, day)).toEqual({
      from: start,
      now: start + day,
      emails: 1,
      events: 2,
      campaigns: 0,
      contacts: 0,
      domains: 0,
      idempotencyKeys: 0,
    });
    const { emailEvents } = await service.ok('email.get', { params: { emailId } });
    expect(emailEvents.map(({ status }) => status).sort()).toEqual(['DELIVERED', 'SENT']);
    for (const { createdAt } of emailEvents) {
      const after = Date.parse(createdAt) - Date.parse(scheduledAt);
      expect(after).toBeGreaterThanOrEqual(0);
      expect(after).toBeLessThan(5 * second);
    }
  });

  test('a campaign of many batches is sent to its end, a batch after the other', async () => {
    const service = startSandbox();
    const { id } = await service.ok('campaign.create', {
      body: campaign({ scheduledAt: iso(hour), batchSize: 1 }),
    });
    const { emails, campaigns, events } = await move(service, day);
    expect({ emails, campaigns }).toEqual({ emails: 11, campaigns: 1 });
    expect(events).toBeGreaterThanOrEqual(22);
    const shown = await service.request('GET', `/campaigns/${id}`);
    expect(shown.body).toMatchObject({ status: 'SENT', sent: 11 });
    const { data } = await service.ok('email.list', { query: {} });
    const times = data.map(({ createdAt }) => String(createdAt)).filter((at) => at >= iso(hour));
    expect(new Set(times).size).toBe(11);
    expect(times.at(-1)).toBe(iso(hour));
  });

  test('queued contacts are stored', async () => {
    const service = startSandbox();
    const bulk = '/contactBooks/book_customers/contacts/bulk';
    await service.request('POST', bulk, { body: [{ email: 'zoe@example.com' }] });
    expect(await move(service, second - 1)).toMatchObject({ contacts: 0 });
    expect(await move(service, 1)).toMatchObject({ contacts: 1 });
  });

  test('an idempotency key is forgotten after 24 hours, and not before', async () => {
    const service = startSandbox();
    const send = (subject: string) =>
      service.send('email.send', { body: email({ subject }) }, { 'Idempotency-Key': 'order-1' });
    expect(await send('one')).toMatchObject({ status: 200 });
    expect(await move(service, day - 1)).toMatchObject({ idempotencyKeys: 0 });
    expect(await send('two')).toMatchObject({ status: 409 });
    expect(await move(service, 1)).toMatchObject({ idempotencyKeys: 1 });
    expect(await send('two')).toMatchObject({ status: 200 });
  });

  test('the verification of a domain ends with the hour', async () => {
    const service = startSandbox();
    await service.ok('domain.verify', { params: { id: 2 } });
    expect(await move(service, hour - second)).toMatchObject({ domains: 0 });
    expect(await move(service, 2 * second)).toMatchObject({ domains: 1 });
    const [, domain] = await service.ok('domain.list', {});
    expect(domain).toMatchObject({ status: 'SUCCESS', updatedAt: iso(hour) });
  });

  test('jobs that were due before are not reported', async () => {
    const service = startSandbox();
    await service.ok('email.send', { body: email() });
    service.advance(hour);
    expect(await move(service, second)).toMatchObject({ from: start + hour, events: 0 });
  });

  test('a request that is being processed is not disturbed', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const service = startSandbox({
      processing: () => {
        reached.resolve();
        return goOn.promise;
      },
    });
    const headers = { 'Idempotency-Key': 'order-1' };
    const sending = service.send('email.send', { body: email() }, headers);
    await reached.promise;
    await move(service, day);
    expect(await service.send('email.send', { body: email() }, headers)).toMatchObject({
      status: 409,
    });
    goOn.resolve();
    expect(await sending).toMatchObject({ status: 200 });
  });

  test('the claim of a killed process expires in real time, also when it is set back', async () => {
    const directory = temporaryDirectory();
    const never = new Promise<void>(() => {});
    const killed = startSandbox({ directory, processing: () => never });
    const headers = { 'Idempotency-Key': 'order-1' };
    void killed.send('email.send', { body: email() }, headers);
    const again = async () => (await killed.send('email.send', { body: email() }, headers)).status;
    await expect.poll(again, { timeout: patience }).toBe(409);
    const service = startSandbox({ directory, ahead: -day });
    service.advance(60 * second);
    expect(await service.send('email.send', { body: email() }, headers)).toMatchObject({
      status: 200,
    });
  });

  test('rate limits stay in real time, which clients measure', async () => {
    const service = startSandbox({ rateLimit: 1 });
    await move(service, day);
    expect((await service.send('domain.list', {})).headers.get('X-RateLimit-Reset')).toBe(
      String(start / 1000 + 1),
    );
    await move(service, day);
    expect(await service.send('domain.list', {})).toMatchObject({ status: 429 });
  });

  test('it does so for every process that has the data open', async () => {
    const directory = temporaryDirectory();
    const [one, other] = [startSandbox({ directory }), startSandbox({ directory })];
    await Promise.all([move(one, hour), move(other, hour)]);
    expect([one.sandbox.now(), other.sandbox.now()]).toEqual([start + 2 * hour, start + 2 * hour]);
    const { emailId } = await one.ok('email.send', { body: email() });
    const { createdAt } = await other.ok('email.get', { params: { emailId } });
    expect(createdAt).toBe(iso(2 * hour));
  });

  test('not past the year 9999', async () => {
    const service = startSandbox();
    await expect(move(service, 8000 * 365 * day)).rejects.toThrow(ClockOutOfRange);
    expect(service.sandbox.ahead()).toBe(0);
  });
});

describe('a clock that is ahead or behind', () => {
  test('stays so until it is set again', () => {
    const directory = temporaryDirectory();
    startSandbox({ directory, ahead: -day }).sandbox.close();
    const again = startSandbox({ directory });
    expect(again.sandbox.now()).toBe(start - day);
    expect(again.sandbox.clockMoved).toBe(0);
    const right = startSandbox({ directory, ahead: 0 });
    expect(right.sandbox.clockMoved).toBe(day);
    expect(again.sandbox.now()).toBe(start);
  });

  test.each(['at first use', 'after a reset'])('shifts the first dates %s', async (when) => {
    const directory = temporaryDirectory();
    const plain = startSandbox();
    if (when === 'after a reset') {
      startSandbox({ directory }).sandbox.close();
      resetSandbox({ directory, now: () => start, ahead: -100 * day });
    }
    const moved = startSandbox({ directory, ahead: -100 * day });
    const dates = async ({ ok }: TestSandbox) => {
      const { data } = await ok('email.list', { query: {} });
      const domains = await ok('domain.list', {});
      return [...data, ...domains].map(({ createdAt }) => Date.parse(createdAt ?? ''));
    };
    const before = (await dates(plain)).map((at) => at - 100 * day);
    expect(await dates(moved)).toEqual(before);
  });

  test('shows real time after a reset, in other processes, too', () => {
    const directory = temporaryDirectory();
    const { sandbox } = startSandbox({ directory, ahead: day });
    resetSandbox({ directory, now: () => start });
    expect([sandbox.now(), sandbox.ahead()]).toEqual([start, 0]);
  });
});

describe('POST /control/advance', () => {
  const post = ({ sandbox }: TestSandbox, body: unknown) =>
    sandbox.fetch(
      new Request(`${origin}/control/advance`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );

  test('advances the clock', async () => {
    const service = startSandbox();
    await service.ok('email.send', { body: email({ scheduledAt: iso(hour) }) });
    const reply = await post(service, { by: '1d 12h' });
    expect(await reply.json()).toMatchObject({ from: iso(0), now: iso(36 * hour), emails: 1 });
    expect(service.sandbox.now()).toBe(start + 36 * hour);
  });

  test.each([{ by: '-1d' }, { by: '0' }, { by: 1 }, {}, { by: '1d', to: 1 }, { by: '9000000d' }])(
    'rejects %j',
    async (body) => {
      const service = startSandbox();
      const reply = await post(service, body);
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { code: 'BAD_REQUEST' } });
      expect(service.sandbox.ahead()).toBe(0);
    },
  );
});
