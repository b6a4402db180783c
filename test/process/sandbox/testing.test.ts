import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import nodemailer from 'nodemailer';
import { UseSend } from 'usesend-js';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Account, StartedSandbox } from '../../../src/testing/index.ts';
import { needing, notWindows } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import { isAnother, node, root, temporaryDirectory } from '../../support/process.ts';

// What ships: the built module, which starts the built program.
const built = pathToFileURL(join(root, 'dist/testing/index.js')).href;
const { startSandbox, connectSandbox }: typeof import('../../../src/testing/index.ts') =
  await import(built);

beforeEach(({ skip }) => skip(isAnother, 'it starts the program that it is installed with'));

let sandbox: StartedSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ smtp: true });
});
afterAll(async () => await sandbox.stop());

let addresses = 0;
const newAddress = () => `person${++addresses}@example.org`;

async function send(account: Account, to: string, text: string, subject = 'Hi'): Promise<void> {
  const client = new UseSend(account.apiKey, account.url);
  const { error } = await client.emails.send({ from: 'shop@example.com', to, subject, text });
  expect(error).toBeNull();
}

describe('a mailbox', () => {
  test('waits for a message, and gives each once', async () => {
    const to = newAddress();
    const box = sandbox.mailbox(to);
    const waiting = box.wait();
    await send(sandbox, to, 'Hello', 'First');
    expect(await waiting).toMatchObject({ subject: 'First', text: 'Hello', to: [to] });
    await send(sandbox, to, 'Hello', 'Second');
    expect(await box.wait()).toMatchObject({ subject: 'Second' });
    await box.none('10ms');
  });

  test('gives the code and the link of the newest message that has one', async () => {
    const to = newAddress();
    await send(sandbox, to, 'Your code: 111222');
    await send(sandbox, to, 'Your code: 333444. https://shop.test/confirm?a=1&b=2');
    await send(sandbox, to, 'Welcome');
    expect(await sandbox.mailbox(to).code()).toBe('333444');
    const other = newAddress();
    await send(sandbox, other, 'Your code: 333444. https://shop.test/confirm?a=1&b=2');
    expect(await sandbox.mailbox(other).link('CONFIRM')).toBe('https://shop.test/confirm?a=1&b=2');
  });

  test('gives a code once, also when it is asked for inline each time', async () => {
    const to = newAddress();
    await send(sandbox, to, 'Your code: 111222');
    expect(await sandbox.mailbox(to).code()).toBe('111222');
    const second = connectSandbox(sandbox.url).mailbox(to.toUpperCase()).code();
    await send(sandbox, to, 'Your code: 333444');
    expect(await second).toBe('333444');
    const again = sandbox.mailbox(to).code({ timeout: 10 });
    await expect(again).rejects.toThrow(/within 0\.01 s.* returns each message once/);
    await sandbox.mailbox(to).none(10);
  });

  test('gives the link to unsubscribe only if no other is meant', async () => {
    const to = newAddress();
    await send(sandbox, to, 'https://shop.test/confirm?a=1');
    await send(sandbox, to, 'Confirmed. To unsubscribe: https://shop.test/u?a=1');
    expect(await sandbox.mailbox(to).link()).toBe('https://shop.test/confirm?a=1');
    expect(await sandbox.mailbox(to).link('/u?')).toBe('https://shop.test/u?a=1');
  });

  test('gives several messages, oldest first', async () => {
    const to = newAddress();
    for (const subject of ['One', 'Two', 'Three']) await send(sandbox, to, 'Hi', subject);
    const box = sandbox.mailbox(to);
    const all = await box.messages(3);
    expect(all.map(({ subject }) => subject)).toEqual(['One', 'Two', 'Three']);
    await box.none('10ms');
  });

  test('has messages over SMTP', async () => {
    const to = newAddress();
    const waiting = sandbox.mailbox(to).wait({ from: 'app@example.net', subject: 'smtp' });
    await nodemailer
      .createTransport({ port: sandbox.smtpPort })
      .sendMail({ from: 'app@example.net', to, subject: 'Over SMTP', text: 'Hi' });
    expect(await waiting).toMatchObject({ subject: 'Over SMTP' });
  });

  test('says what came instead, and what is not clear', async () => {
    const to = newAddress();
    await send(sandbox, to, 'Your code: 111222. Your code: 333444. https://a.test https://b.test');
    const nobody = sandbox.mailbox(newAddress()).wait({ timeout: '1ms' });
    await expect(nobody).rejects.toThrow(/^No message to "person\d+@example.org" came .*"Hi" to/);
    await expect(sandbox.mailbox(to).code()).rejects.toThrow(/which code.*111222, 333444/);
    await expect(sandbox.mailbox(to).link()).rejects.toThrow(/which link.*a\.test, .*b\.test/);
    await expect(sandbox.mailbox(to).none('1ms')).rejects.toThrow(/^A message came to/);
  });
});

test('a mailbox outlives a reset, and says that it gave a message before', async () => {
  const account = sandbox.account('outlives');
  const to = newAddress();
  const box = account.mailbox(to);
  await send(account, to, 'Your code: 111222');
  const { id } = await box.wait();
  await expect(box.code({ timeout: '1ms' })).rejects.toThrow(`returned message ${id} already`);
  await account.reset();
  await box.none('1ms');
  await send(account, to, 'Your code: 333444');
  expect(await box.code()).toBe('333444');
});

test('an account sees nothing of the others', async () => {
  const to = newAddress();
  const [one, other] = [sandbox.account('one'), sandbox.account('other')];
  await send(one, to, 'Hi');
  await one.mailbox(to).wait();
  await other.mailbox(to).none('10ms');
  await sandbox.mailbox(to).none('10ms');
  await one.reset();
  await one.mailbox(to).none('1ms');
  const again = connectSandbox(sandbox.url).account('one');
  expect(again.apiKey).toBe(one.apiKey);
  expect(() => sandbox.account('a b')).toThrow('"a b" is not a name');
});

test('passes time, fails on demand, and calls handlers', async () => {
  const account = sandbox.account('control');
  const client = new UseSend(account.apiKey, account.url);
  const to = newAddress();
  const email = { from: 'shop@example.com', to, subject: 'Later', text: 'Hi' };
  const scheduledAt = new Date(Date.now() + 60 * 60 * 1000).toISOString();
  await client.emails.send({ ...email, scheduledAt });
  await account.mailbox(to).none('1ms');
  await account.advance('2h');
  expect(await account.mailbox(to).wait()).toMatchObject({ subject: 'Later' });

  await account.fault('POST /v1/emails 503:envelope');
  expect((await client.emails.send(email)).error).not.toBeNull();
  await account.noFaults();
  expect((await client.emails.send(email)).error).toBeNull();
  await expect(account.fault('nonsense')).rejects.toThrow('METHOD PATH EFFECT');

  const handler = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void handler.close());
  await once(handler, 'listening');
  const address = handler.address();
  const url = `http://127.0.0.1:${Object(address).port}/`;
  await account.addWebhook(url, { events: ['email.delivered'] });
  await send(account, to, 'Hi');
  await account.advance('1h');
  const { webhooks, calls: made } = await account.webhooks();
  expect(webhooks).toMatchObject([{ url, enabled: true }]);
  expect(made.map(({ type, delivered }) => ({ type, delivered }))).toContainEqual({
    type: 'email.delivered',
    delivered: true,
  });
});

test('a sandbox that cannot start says why', async () => {
  const { port } = new URL(sandbox.url);
  await expect(startSandbox({ port: Number(port) })).rejects.toThrow(/the port is in use/);
});

/** The directory of its data, which other sandboxes of this machine have beside it. */
function directoryOf({ url }: StartedSandbox): string {
  const [path = ''] = globSync(join(tmpdir(), 'mailer-sandbox-*', 'running.json')).filter((path) =>
    readFileSync(path, 'utf8').includes(`"${url}"`),
  );
  return dirname(path);
}

test('stop deletes its data, and no mail is delivered where the environment says', async () => {
  process.env.MAILER_SANDBOX_SMTP_URL = 'smtp://127.0.0.1:1';
  onTestFinished(() => {
    delete process.env.MAILER_SANDBOX_SMTP_URL;
  });
  const started = await startSandbox();
  const directory = directoryOf(started);
  expect(readdirSync(directory)).toContainEqual(expect.stringMatching(/\.sqlite$/));
  const to = newAddress();
  await send(started, to, 'Hi');
  expect(await started.mailbox(to).wait()).toMatchObject({ subject: 'Hi' });
  await started.advance('1h');
  const inAll = await started.mailbox().wait({ from: 'shop@example.com', subject: 'Hi' });
  expect(inAll).toMatchObject({ status: 'DELIVERED' });
  await started.stop();
  expect(existsSync(directory)).toBe(false);
  await started.stop();
});

describe('a process that does not stop its sandbox', () => {
  const begin = `import { startSandbox } from '${built}';
const { url } = await startSandbox();
console.log(url);
`;

  const isUp = async (url: string) =>
    await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );

  test('can end, and the sandbox ends with it', async () => {
    const script = join(temporaryDirectory(), 'test.mjs');
    writeFileSync(script, begin);
    const { stdout } = await execa(node, [script]);
    await expect.poll(() => isUp(stdout), { timeout: patience }).toBe(false);
  });

  test('may also be killed', needing(notWindows), async () => {
    const script = join(temporaryDirectory(), 'test.mjs');
    writeFileSync(script, `${begin}setInterval(() => {}, 1000);`);
    const running = execa(node, [script], { reject: false });
    const url = await new Promise<string>((resolve) => {
      running.stdout.once('data', (text) => resolve(String(text).trim()));
    });
    expect(await isUp(url)).toBe(true);
    running.kill('SIGKILL');
    await running;
    await expect.poll(() => isUp(url), { timeout: patience }).toBe(false);
  });
});
