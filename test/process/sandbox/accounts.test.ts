import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { ctrlC } from '../../support/keys.ts';
import { createPlace, finished, shellStartOf } from '../../support/process.ts';
import { type Answer, type Recorder, startRecorder } from '../../support/recorder.ts';
import { type ServedSandbox, serveSandbox } from '../../support/served.ts';
import { startCatcher } from '../../support/smtp.ts';
import { openTerminal } from '../../support/terminal.ts';

const workers = 40;
const rounds = 25;
const contacts = '/api/v1/contactBooks/book_customers/contacts';

/** If root runs the tests: drops root's access to the files of others. */
const plain = process.getuid?.() === 0 ? 'setpriv --bounding-set=-all --inh-caps=-all' : '';

/** A process of tests with an account of its own. It expects that nobody else is there. */
function worker(served: ServedSandbox, handler: Recorder, name: string) {
  const key = `us_sandbox_test_${name}`;

  async function ask(method: string, path: string, body?: unknown, headers: object = {}) {
    const reply = await fetch(`${served.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return {
      status: reply.status,
      text,
      body: Object(text.startsWith('<') ? {} : JSON.parse(text)),
    };
  }

  async function ok(...request: Parameters<typeof ask>) {
    const reply = await ask(...request);
    expect([reply.status, reply.text, ...request], name).toEqual([200, reply.text, ...request]);
    return reply.body;
  }

  const subject = (round: number) => `${name} ${round}`;
  const message = (round: number) => ({
    from: 'shop@example.com',
    to: 'ana@example.org',
    subject: subject(round),
    text: 'Hi',
  });
  const sent = Array.from({ length: rounds }, (_, round) => subject(round)).sort();

  return {
    name,
    sent,
    ok,
    ask,
    async work({ isFaulty, isSlow }: { isFaulty: boolean; isSlow: boolean }): Promise<void> {
      await ok('POST', '/control/webhooks', {
        url: `${handler.url}/${name}`,
        events: ['email.delivered'],
      });
      await ok('POST', contacts, { email: `${name}@example.org` });
      if (isFaulty) await ok('POST', '/control/faults', { fault: 'POST /v1/emails 503 x1' });
      const transport = nodemailer.createTransport({
        host: '127.0.0.1',
        port: served.smtpPort,
        ignoreTLS: true,
        auth: { user: key, pass: 'any' },
      });
      for (let round = 0; round < rounds; round++) {
        if (round % 5 === 4) {
          await transport.sendMail(message(round));
          continue;
        }
        // All workers have the same keys.
        const keyed = { 'idempotency-key': `key-${round}` };
        if (isFaulty && round === 0) {
          const reply = await ask('POST', '/api/v1/emails', message(round), keyed);
          expect(reply.status).toBe(503);
        }
        const { emailId } = await ok('POST', '/api/v1/emails', message(round), keyed);
        const read = await ok('GET', `/api/v1/emails/${emailId}`);
        expect(read.subject).toBe(subject(round));
      }
      if (isSlow) {
        await ok('PUT', '/control/rate-limit', { perSecond: 1 });
        const replies = Array.from({ length: 10 }, () => ask('GET', '/api/v1/domains'));
        const statuses = (await Promise.all(replies)).map(({ status }) => status);
        expect(statuses).toContain(429);
        await ok('PUT', '/control/rate-limit', { perSecond: null });
      }
    },
    /** The subjects that the account has, sorted. */
    async has(): Promise<string[]> {
      const { data } = await ok('GET', '/api/v1/emails?limit=50');
      return data.map(({ subject }: { subject: string }) => subject).sort();
    },
    async contacts(): Promise<string[]> {
      const found = await ok('GET', contacts);
      return found.map(({ email }: { email: string }) => email);
    },
    /** The subjects that its handler was told, sorted. */
    told(): string[] {
      return handler.requests
        .filter(({ path }) => path.endsWith(`/${name}`))
        .map(({ body }) => String(Object(JSON.parse(body)).data.subject))
        .sort();
    },
  };
}

test('forty workers share a sandbox, and none sees what another one does', async () => {
  const place = createPlace();
  const flags = ['--port', '0', '--smtp-port', '0', '--empty', '--seed', '-'];
  const seeds = {
    domains: [{ name: 'example.com' }],
    books: [{ id: 'book_customers', name: 'Customers' }],
  };
  const served = await serveSandbox(place, flags, { input: JSON.stringify(seeds) });
  const handler = await startRecorder(...Array<Answer>(workers * rounds).fill({}));
  const all = Array.from({ length: workers }, (_, number) =>
    worker(served, handler, `worker_${number}`),
  );
  await Promise.all(
    all.map((it, number) => it.work({ isFaulty: number % 2 === 1, isSlow: number % 4 === 0 })),
  );
  for (const it of all) {
    expect(await it.has()).toEqual(it.sent);
    expect(await it.contacts()).toEqual([`${it.name}@example.org`]);
    await it.ok('POST', '/control/advance', { by: '1m' });
    expect(it.told()).toEqual(it.sent);
  }
  expect(handler.requests).toHaveLength(workers * rounds);

  const [first, second] = all;
  await first?.ok('DELETE', '/control/account');
  expect(await first?.has()).toEqual([]);
  expect(await first?.contacts()).toEqual([]);
  expect(await second?.has()).toEqual(second?.sent);
  const own = await runHere(place, 'email list --json', { env: served.env });
  expect(JSON.parse(own.stdout)).toMatchObject({ count: 0 });
});

test('what the sandbox is started with concerns each account', async () => {
  const place = createPlace();
  const catcher = await startCatcher();
  const handler = await startRecorder(...Array<Answer>(100).fill({}));
  const flags = [
    ...['--port', '0', '--smtp', catcher.url, '--webhook', handler.url],
    ...['--clock', '2026-01-10T12:00:00Z', '--fault', 'GET /v1/domains 503 x1'],
  ];
  const served = await serveSandbox(place, flags);
  for (const name of ['a', 'b']) {
    const { ask, ok } = worker(served, handler, name);
    expect(await ask('GET', '/api/v1/domains')).toMatchObject({ status: 503 });
    await ok('GET', '/api/v1/domains');
    const mail = { from: 'shop@example.com', to: 'ana@example.org', subject: name, text: 'Hi' };
    await ok('POST', '/api/v1/emails', mail);
    const { now } = await ok('GET', '/control');
    expect(now).toMatch(/^2026-01-10T12:/);
  }
  // Without any request.
  const subjects = () => catcher.received.map(({ source }) => /Subject: (.*)\r/.exec(source)?.[1]);
  await vi.waitFor(() => expect(subjects().sort()).toEqual(['a', 'b']), { timeout: 20_000 });
  const told = () =>
    handler.requests
      .map(({ body }) => Object(JSON.parse(body)))
      .filter(({ type }) => type === 'email.delivered')
      .map(({ data }) => data.subject)
      .filter((subject) => !/receipt|welcome/i.test(subject));
  await vi.waitFor(() => expect(told().sort()).toEqual(['a', 'b']), { timeout: 20_000 });

  // A reset removes the accounts; made again, they are as at first.
  const a = worker(served, handler, 'a');
  await a.ok('PUT', '/control/rate-limit', { perSecond: 1 });
  expect((await runHere(place, 'sandbox reset --yes')).exitCode).toBe(0);
  expect(await a.has()).toEqual(['Welcome, Ben!', 'Your receipt']);
  expect(await a.ok('GET', '/control')).toMatchObject({ rateLimit: { perSecond: null } });
  const { webhooks } = await a.ok('GET', '/control/webhooks');
  expect(webhooks).toMatchObject([{ url: expect.stringContaining(handler.url) }]);
  await a.ok('DELETE', '/control/account');
  expect((await a.ok('GET', '/control/webhooks')).webhooks).toHaveLength(1);
  served.process.kill('SIGTERM');
  const { exitCode, stderr } = await finished(served.process);
  expect(exitCode).toBe(143);
  expect(stderr).not.toContain('cannot be used');
});

test('start --seed makes the accounts anew, with these seeds', async () => {
  const place = createPlace();
  const first = await serveSandbox(place);
  const handler = await startRecorder();
  expect(await worker(first, handler, 'a').has()).toHaveLength(2);
  first.process.kill('SIGTERM');
  await finished(first.process);
  const seeds = JSON.stringify({ books: [{ id: 'book_more', name: 'More' }] });
  const second = await serveSandbox(place, ['--port', '0', '--seed', '-'], { input: seeds });
  await worker(second, handler, 'a').ok('GET', '/api/v1/contactBooks/book_more');
});

test('accounts whose files cannot be deleted are reset, also those that a server has open', async () => {
  const place = createPlace();
  const served = await serveSandbox(place);
  const a = worker(served, await startRecorder(), 'a');
  const message = { from: 'shop@example.com', to: 'ana@example.org', subject: 'S', text: 'Hi' };
  await a.ok('POST', '/api/v1/emails', message);
  // As on Windows, which deletes no file that is open.
  const directory = join(place.sandboxDirectory, 'accounts', 'us_sandbox_test_a');
  chmodSync(directory, 0o500);
  onTestFinished(() => chmodSync(directory, 0o700));
  const reset = `${plain} ${shellStartOf()} sandbox reset --yes`;
  expect(await finished(place.shell(reset))).toMatchObject({ exitCode: 0 });
  expect(existsSync(directory)).toBe(true);
  expect(await a.has()).toEqual(['Welcome, Ben!', 'Your receipt']);
});

test('a terminal shows the requests of all accounts, with their names', async () => {
  const terminal = openTerminal(createPlace(), 'mailer sandbox start --port 0', { columns: 160 });
  await terminal.shows('MAILER_API_KEY');
  const [, url] = /MAILER_BASE_URL=(\S+)/.exec(terminal.text()) ?? [];
  for (const key of ['us_sandbox_local', 'us_sandbox_test_a']) {
    await fetch(`${url}/v1/emails?of=${key}`, { headers: { authorization: `Bearer ${key}` } });
  }
  await terminal.shows(/ GET \/api\/v1\/emails\?of=us_sandbox_local 200 \d+ ms$/m);
  await terminal.shows(/ GET \/api\/v1\/emails\?of=us_sandbox_test_a 200 \d+ ms \[a\]$/m);
  terminal.type(ctrlC);
  expect(await terminal.end()).toBe(130);
});
