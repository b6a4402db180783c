import nodemailer from 'nodemailer';
import { expect, test, vi } from 'vitest';
import { patience } from '../../../support/patience.ts';
import { type Answer, startRecorder } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';
import { type Serving, serveIn } from '../../../support/serving.ts';
import { startCatcher } from '../../../support/smtp.ts';

/** Requests with the key of an account of its own. */
function accountOf({ url }: Serving, name: string) {
  const key = `us_sandbox_test_${name}`;

  async function ask(method: string, path: string, body?: unknown, headers: object = {}) {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = !text.startsWith('<');
    return { status: reply.status, text, body: Object(isJson ? JSON.parse(text) : {}) };
  }

  async function ok(...request: Parameters<typeof ask>) {
    const { status, text, body } = await ask(...request);
    expect({ status, text, request }, name).toMatchObject({ status: 200 });
    return body;
  }

  return {
    name,
    key,
    ask,
    ok,
    async send(subject: string, headers: object = {}) {
      const mail = { from: 'shop@example.com', to: 'ana@example.org', subject, text: 'Hi' };
      return await ask('POST', '/api/v1/emails', mail, headers);
    },
    /** The subjects that the account has, sorted. */
    async subjects(): Promise<string[]> {
      const { data } = await ok('GET', '/api/v1/emails?limit=50');
      return data.map(({ subject }: { subject: string }) => subject).sort();
    },
  };
}

test('workers share a sandbox, and none sees what another one does', async () => {
  const world = createWorld();
  const seeds = {
    domains: [{ name: 'example.com' }],
    books: [{ id: 'book_customers', name: 'Customers' }],
  };
  const served = await serveIn(world, '--smtp-port 0 --empty --seed -', {
    stdin: JSON.stringify(seeds),
  });
  const contacts = '/api/v1/contactBooks/book_customers/contacts';
  const rounds = 3;
  const workers = Array.from({ length: 6 }, (_, number) => accountOf(served, `worker_${number}`));
  const handler = await startRecorder(...Array<Answer>(workers.length * (rounds + 1)).fill({}));
  const sentBy = (name: string) => Array.from({ length: rounds + 1 }, (_, at) => `${name} ${at}`);

  async function work({ name, key, ask, ok, send }: (typeof workers)[number], number: number) {
    const hook = { url: `${handler.url}/${name}`, events: ['email.delivered'] };
    await ok('POST', '/control/webhooks', hook);
    await ok('POST', contacts, { email: `${name}@example.org` });
    const isFaulty = number % 2 === 1;
    if (isFaulty) await ok('POST', '/control/faults', { fault: 'POST /v1/emails 503 x1' });
    for (let round = 0; round < rounds; round++) {
      // All workers have the same keys.
      const keyed = { 'idempotency-key': `key-${round}` };
      const subject = `${name} ${round}`;
      if (isFaulty && round === 0)
        expect(await send(subject, keyed)).toMatchObject({ status: 503 });
      const { status, body } = await send(subject, keyed);
      expect(status).toBe(200);
      expect(await ok('GET', `/api/v1/emails/${body.emailId}`)).toMatchObject({ subject });
    }
    await nodemailer
      .createTransport({
        ...{ host: '127.0.0.1', port: served.smtpPort, ignoreTLS: true },
        auth: { user: key, pass: 'any' },
      })
      .sendMail({
        ...{ from: 'shop@example.com', to: 'ana@example.org', text: 'Hi' },
        subject: `${name} ${rounds}`,
      });
    if (number % 3 !== 0) return;
    // Its clock stands still, so its second has room for one request.
    await ok('PUT', '/control/rate-limit', { perSecond: 1 });
    expect(await ask('GET', '/api/v1/domains')).toMatchObject({ status: 200 });
    expect(await ask('GET', '/api/v1/domains')).toMatchObject({ status: 429 });
    await ok('PUT', '/control/rate-limit', { perSecond: null });
  }

  await Promise.all(workers.map(work));
  for (const { name, ok, subjects } of workers) {
    expect(await subjects()).toEqual(sentBy(name));
    expect(await ok('GET', contacts)).toMatchObject([{ email: `${name}@example.org` }]);
    await ok('POST', '/control/advance', { by: '1m' });
    const told = handler.requests
      .filter(({ path }) => path.endsWith(`/${name}`))
      .map(({ body }) => Object(JSON.parse(body)).data.subject);
    expect(told.sort()).toEqual(sentBy(name));
  }
  expect(handler.requests).toHaveLength(workers.length * (rounds + 1));

  const [first, second] = workers;
  await first?.ok('DELETE', '/control/account');
  expect(await first?.subjects()).toEqual([]);
  expect(await first?.ok('GET', contacts)).toEqual([]);
  expect(await second?.subjects()).toEqual(sentBy(second?.name ?? ''));
  const own = await world.run('email list --json', { env: served.env });
  expect(JSON.parse(own.stdout)).toMatchObject({ count: 0 });
});

test('what the sandbox is started with concerns each account', async () => {
  const world = createWorld();
  const catcher = await startCatcher();
  const handler = await startRecorder(...Array<Answer>(100).fill({}));
  const served = await serveIn(world, [
    ...['--smtp', catcher.url, '--webhook', handler.url],
    ...['--clock', '2026-01-10T12:00:00Z', '--fault', 'GET /v1/domains 503 x1'],
  ]);
  for (const name of ['a', 'b']) {
    const { ask, ok, send } = accountOf(served, name);
    expect(await ask('GET', '/api/v1/domains')).toMatchObject({ status: 503 });
    await ok('GET', '/api/v1/domains');
    expect(await send(name)).toMatchObject({ status: 200 });
    expect(await ok('GET', '/control')).toMatchObject({
      now: expect.stringMatching(/^2026-01-10T12:/),
    });
  }
  // Without any request.
  const subjects = () => catcher.received.map(({ source }) => /Subject: (.*)\r/.exec(source)?.[1]);
  await vi.waitFor(() => expect(subjects().sort()).toEqual(['a', 'b']), patience);
  const told = () =>
    handler.requests
      .map(({ body }) => Object(JSON.parse(body)))
      .filter(({ type }) => type === 'email.delivered')
      .map(({ data }) => data.subject)
      .filter((subject) => !/receipt|welcome/i.test(subject));
  await vi.waitFor(() => expect(told().sort()).toEqual(['a', 'b']), patience);

  // A reset removes the accounts; made again, they are as at first.
  const { ok, subjects: subjectsOfA } = accountOf(served, 'a');
  await ok('PUT', '/control/rate-limit', { perSecond: 1 });
  expect((await world.run('sandbox reset --yes')).exitCode).toBe(0);
  expect(await subjectsOfA()).toEqual(['Welcome, Ben!', 'Your receipt']);
  expect(await ok('GET', '/control')).toMatchObject({ rateLimit: { perSecond: null } });
  const { webhooks } = await ok('GET', '/control/webhooks');
  expect(webhooks).toMatchObject([{ url: expect.stringContaining(handler.url) }]);
  await ok('DELETE', '/control/account');
  expect((await ok('GET', '/control/webhooks')).webhooks).toHaveLength(1);
  const { exitCode, stderr } = await served.stop();
  expect(exitCode).toBe(130);
  expect(stderr).not.toContain('cannot be used');
});

test('--seed makes the accounts anew, with these seeds', async () => {
  const world = createWorld();
  const first = await serveIn(world);
  expect(await accountOf(first, 'a').subjects()).toHaveLength(2);
  await first.stop();
  const stdin = JSON.stringify({ books: [{ id: 'book_more', name: 'More' }] });
  const second = await serveIn(world, '--seed -', { stdin });
  await accountOf(second, 'a').ok('GET', '/api/v1/contactBooks/book_more');
});
