import { UseSend } from 'usesend-js';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/sandbox/store/sqlite.ts';
import { type EventType, unsentTypes } from '../../../src/shared/webhook/event-types.ts';
import { dataSchemas, exampleEventData } from '../../../src/shared/webhook/events.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { startSandbox } from '../harness.ts';

const secret = 'whsec_0123456789abcdef';

/** What the calls of a live service had in `data.metadata`. */
const metadata: Partial<Record<EventType, readonly string[]>> = {
  'email.opened': ['ipAddress', 'userAgent'],
  'email.clicked': ['ipAddress', 'userAgent', 'link'],
  'email.delivery_delayed': ['delayType', 'expirationTime', 'delayedRecipients'],
  'email.rejected': ['reason'],
};

interface Told {
  readonly id: string;
  readonly type: EventType;
  readonly attempt: number;
  readonly data: Record<string, unknown>;
}

/** A sandbox with one endpoint, which responds as told, then with 200. */
async function withEndpoint(events: EventType[] = [], answers: Answer[] = []) {
  const handler = await startRecorder(...answers, ...Array<Answer>(300).fill({}));
  const clock = { now: Date.now() };
  const service = startSandbox({ now: () => clock.now });
  // The example data has news of its own for some weeks.
  await service.sandbox.advance(90 * 86_400_000, () => service.sandbox.catchUp());
  const id = service.sandbox.addWebhook({ url: handler.url, secret, events, temporary: false });
  const deliverer = service.sandbox.callWebhooks();
  const client = new UseSend('us_key_example').webhooks(secret);
  return {
    ...service,
    id,
    handler,
    /** Sets the sandbox's clock ahead, as `sandbox advance` does, and waits for the calls. */
    async pass(milliseconds: number) {
      await service.sandbox.advance(milliseconds, () => service.sandbox.catchUp());
      await deliverer.settled();
    },
    settled: () => deliverer.settled(),
    /** What came, as the published client accepts it. */
    told: (): Told[] =>
      handler.requests.map(({ body, headers }) => {
        const event: unknown = client.constructEvent(body, {
          headers: headers as Record<string, string>,
        });
        return event as Told;
      }),
  };
}

const email = (to: string) => ({
  body: { from: 'hello@example.com', to, subject: 'Hi', text: 'Hi' },
});

test('an endpoint hears nothing of what happened before it was added, such as the example data', async () => {
  const handler = await startRecorder();
  const clock = { now: Date.now() };
  const { sandbox, request } = startSandbox({ now: () => clock.now });
  sandbox.addWebhook({ url: handler.url, secret, events: [], temporary: false });
  const deliverer = sandbox.callWebhooks();
  clock.now += 5000;
  sandbox.catchUp();
  await deliverer.settled();
  expect(handler.requests).toEqual([]);
  await request('POST', '/emails', email('ana@example.org'));
  clock.now += 5000;
  sandbox.catchUp();
  await deliverer.settled();
  expect(handler.requests.length).toBeGreaterThan(0);
});

test('the published client accepts each event of emails, contacts and domains', async () => {
  const { request, pass, told, settled } = await withEndpoint();
  const names = ['clicked', 'bounced', 'complained', 'delayed', 'rejected', 'failed'];
  for (const name of [...names, 'rendering-failure']) {
    expect((await request('POST', '/emails', email(`${name}@example.org`))).status).toBe(200);
  }
  await pass(10_000);
  const book = '/contactBooks/book_customers/contacts';
  const added = await request('POST', book, { body: { email: 'new@example.org' } });
  const { contactId } = added.body as { contactId: string };
  await request('PATCH', `${book}/${contactId}`, { body: { firstName: 'New' } });
  await request('DELETE', `${book}/${contactId}`);
  for (const name of ['new.example.net', 'fail.example.net']) {
    const body = { name, region: 'us-east-1' };
    const { id } = (await request('POST', '/domains', { body })).body as { id: number };
    await request('PUT', `/domains/${id}/verify`);
    await pass(2 * 3_600_000);
    await request('DELETE', `/domains/${id}`);
  }
  await settled();
  const events = told();
  const types = new Set(events.map(({ type }) => type));
  expect([...types].sort()).toEqual([
    'contact.created',
    'contact.deleted',
    'contact.updated',
    'domain.created',
    'domain.deleted',
    'domain.updated',
    'domain.verified',
    'email.bounced',
    'email.clicked',
    'email.complained',
    'email.delivered',
    'email.delivery_delayed',
    'email.opened',
    'email.rejected',
    'email.rendering_failure',
    'email.sent',
  ]);
  for (const { type, data } of events) {
    expect([type, dataSchemas[type].safeParse(data).error]).toEqual([type, undefined]);
    if (metadata[type] === undefined) continue;
    for (const fields of [data.metadata, exampleEventData(type, '2026-01-31T09:00:00Z').metadata]) {
      expect([type, ...Object.keys(Object(fields))]).toEqual([type, ...metadata[type]]);
    }
  }
  expect(events.find(({ type }) => type === 'domain.created')?.data).toMatchObject({
    subdomain: 'new',
    sesTenantId: null,
  });
  expect(events.find(({ type }) => type === 'contact.created')?.data).toMatchObject({
    firstName: null,
    lastName: null,
  });
});

test('events that no service sends go to who asks for them, and the client accepts them, too', async () => {
  const unsent = [...unsentTypes, 'webhook.test'] as const;
  const { request, pass, told, sandbox, handler } = await withEndpoint([...unsent]);
  await request('POST', '/emails', email('suppressed@example.org'));
  await request('POST', '/emails', email('failed@example.org'));
  const { body } = email('ana@example.org');
  const scheduledAt = new Date(sandbox.now() + 3_600_000).toISOString();
  const later = await request('POST', '/emails', { body: { ...body, scheduledAt } });
  const { emailId } = later.body as { emailId: string };
  await request('POST', `/emails/${emailId}/cancel`);
  await pass(10_000);
  const webhook = { url: handler.url, secret, events: [...unsent], temporary: false };
  sandbox.addWebhook(webhook, { test: true });
  await pass(1000);
  const events = told();
  expect([...new Set(events.map(({ type }) => type))].sort()).toEqual([...unsent].sort());
  for (const { type, data } of events) {
    expect([type, dataSchemas[type].safeParse(data).error]).toEqual([type, undefined]);
  }
});

test('a call is sent six times, further and further apart, each signed anew', async () => {
  const answers = Array<Answer>(6).fill({ status: 500, body: 'x'.repeat(9000) });
  const { request, pass, told, handler, sandbox } = await withEndpoint(['email.sent'], answers);
  await request('POST', '/emails', email('ana@example.org'));
  await pass(1000);
  expect(handler.requests).toHaveLength(1);
  // The second attempt is 5 to 6.5 seconds after the first.
  await pass(4000);
  expect(handler.requests).toHaveLength(1);
  await pass(2500);
  expect(handler.requests).toHaveLength(2);
  await pass(600_000);
  const calls = told();
  expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
  const signatures = handler.requests.map(({ headers }) => headers['x-usesend-signature']);
  expect(new Set(signatures).size).toBe(6);
  expect(handler.requests.map(({ headers }) => headers['x-usesend-retry'])).toEqual([
    'false',
    ...Array(5).fill('true'),
  ]);
  expect(sandbox.webhooks()).toMatchObject([{ failures: 1, waiting: 0, enabled: true }]);
  const [logged] = sandbox.webhookCalls(10);
  expect(logged).toMatchObject({ attempts: 6, delivered: false, status: 500, dueAt: null });
  expect(logged?.response).toHaveLength(4096);
});

test('the pause before each of the five retries doubles, and is up to 30 % longer', async () => {
  const answers = Array<Answer>(6).fill({ status: 500 });
  const { request, pass, sandbox } = await withEndpoint(['email.sent'], answers);
  await request('POST', '/emails', email('ana@example.org'));
  await pass(1000);
  let due = sandbox.webhookCalls(1)[0]?.dueAt;
  const pauses: number[] = [];
  while (typeof due === 'string') {
    const now = Date.parse(due);
    await pass(now - sandbox.now());
    due = sandbox.webhookCalls(1)[0]?.dueAt;
    if (typeof due === 'string') pauses.push(Date.parse(due) - now);
  }
  expect(pauses).toHaveLength(4);
  for (const [index, pause] of pauses.entries()) {
    const shortest = 10_000 * 2 ** index;
    expect(pause).toBeGreaterThanOrEqual(shortest);
    expect(pause).toBeLessThanOrEqual(1.3 * shortest);
  }
});

test('redirects are not followed, and a retry that is accepted ends it', async () => {
  const redirect = { status: 307, headers: { location: '/elsewhere' } };
  const { request, pass, handler, sandbox } = await withEndpoint(['email.sent'], [redirect]);
  await request('POST', '/emails', email('ana@example.org'));
  await pass(60_000);
  expect(handler.requests.map(({ path }) => path)).toEqual(['/', '/']);
  expect(sandbox.webhooks()).toMatchObject([{ failures: 0, delivered: 1 }]);
});

test('after 30 failed calls in a row, an endpoint is switched off', async () => {
  const answers = Array<Answer>(200).fill({ status: 500 });
  const { request, pass, handler, sandbox } = await withEndpoint(['email.sent'], answers);
  for (let sent = 0; sent < 30; sent++) await request('POST', '/emails', email('ana@example.org'));
  await pass(1_000_000);
  expect(handler.requests).toHaveLength(180);
  expect(sandbox.webhooks()).toMatchObject([{ enabled: false, failures: 30 }]);
  await request('POST', '/emails', email('ana@example.org'));
  await pass(1000);
  expect(handler.requests).toHaveLength(180);
});

test('one call at a time reaches an endpoint', async () => {
  let [open, most] = [0, 0];
  const slowly: Answer = (response) => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
      response.end();
    });
  };
  const { request, pass, handler } = await withEndpoint([], Array<Answer>(50).fill(slowly));
  for (let sent = 0; sent < 10; sent++) await request('POST', '/emails', email('ana@example.org'));
  await pass(2000);
  expect([handler.requests.length, most]).toEqual([20, 1]);
});

test('an endpoint and its test call, and its end', async () => {
  const { sandbox, handler, id, settled, told } = await withEndpoint();
  const again = { url: handler.url, secret, events: [], temporary: true };
  const other = sandbox.addWebhook(again, { test: true });
  expect(sandbox.webhooks().map((one) => one.id)).toEqual([other]);
  await settled();
  expect(told()).toMatchObject([{ type: 'webhook.test', data: { test: true, webhookId: other } }]);
  expect(sandbox.removeWebhook(id)).toBe(false);
  sandbox.removeTemporaryWebhooks();
  expect(sandbox.webhooks()).toEqual([]);
});

test('calls that no server sends are not kept for ever', async () => {
  const { sandbox } = startSandbox();
  const add = (port: number) =>
    sandbox.addWebhook(
      { url: `http://127.0.0.1:${port}`, secret, events: [], temporary: false },
      { test: true },
    );
  add(1);
  const database = openDatabase(sandbox.path);
  database.exec("UPDATE sqlite_sequence SET seq = 100000 WHERE name = 'webhook_calls'");
  database.close();
  expect(sandbox.webhooks()).toMatchObject([{ waiting: 1 }]);
  add(2);
  const waiting = sandbox.webhooks().map((one): [string, number] => [one.url, one.waiting]);
  expect(Object.fromEntries(waiting)).toEqual({ 'http://127.0.0.1:1': 0, 'http://127.0.0.1:2': 1 });
});

test('a response without an end is read in part', async () => {
  const endless: Answer = (response) => {
    const fill = () => {
      while (!response.destroyed && response.write('x'.repeat(9000)));
    };
    response.on('drain', fill);
    fill();
  };
  const { request, pass, sandbox } = await withEndpoint(['email.sent'], [endless]);
  await request('POST', '/emails', email('ana@example.org'));
  await pass(1000);
  const [logged] = sandbox.webhookCalls(1);
  expect([logged?.delivered, logged?.response?.length]).toEqual([true, 4096]);
});

test('a secret that a handler returns is not kept', async () => {
  const answers = [
    { body: `expected ${secret}`, status: 401 },
    { body: 'x'.repeat(4090) + secret },
  ];
  const { request, pass, sandbox } = await withEndpoint(['email.sent'], answers);
  await request('POST', '/emails', email('ana@example.org'));
  await pass(1000);
  expect(sandbox.webhookCalls(1)[0]?.response).toBe('expected ***');
  await pass(10_000);
  expect(sandbox.webhookCalls(1)[0]?.response).toBe(`${'x'.repeat(4090)}***`);
});

test('a name below localhost is this machine, whatever a resolver says', async () => {
  const { sandbox, handler, settled } = await withEndpoint();
  const url = handler.url.replace('127.0.0.1', 'app.localhost');
  sandbox.addWebhook({ url, secret, events: [], temporary: false }, { test: true });
  await settled();
  expect(handler.requests).toHaveLength(1);
});
