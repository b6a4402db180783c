import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { inBackground } from '../../src/local-service/background.ts';
import { readSmtpUrl } from '../../src/sandbox/mail/deliver/smtp-url.ts';
import { sandboxApiKey } from '../../src/sandbox/model/api-account.ts';
import { exportSandbox, openSandbox, resetSandbox } from '../../src/sandbox/open.ts';
import { SandboxUnavailable } from '../../src/sandbox/seeds/data.ts';
import { seedFile } from '../../src/sandbox/seeds/seed-file.ts';
import { patience } from '../support/patience.ts';
import { day, email, second, start, startSandbox, temporaryDirectory } from './harness.ts';

describe('a new sandbox', () => {
  test('has example data', async () => {
    const { ok, request } = startSandbox();
    expect(await ok('domain.list', {})).toHaveLength(3);
    expect(await ok('reputation.events', { query: {} })).toHaveLength(8);
    const contacts = await request('GET', '/contactBooks/book_customers/contacts');
    expect(contacts.body).toHaveLength(12);
    expect(contacts.text.match(/"subscribed":false/g)).toHaveLength(1);
    const { data } = await ok('email.list', { query: {} });
    expect(data.map(({ id, latestStatus }) => `${id} ${latestStatus}`)).toEqual([
      'email_receipt DELIVERED',
      'email_welcome OPENED',
    ]);
  });

  test('can be read by its owner only', () => {
    const directory = join(temporaryDirectory(), 'deep', 'down');
    const { sandbox } = startSandbox({ directory });
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(dirname(sandbox.path)).toBe(directory);
    expect(mode(directory)).toBe('700');
    for (const side of ['', '-wal', '-shm']) expect(mode(sandbox.path + side)).toBe('600');
  });

  test('has a key that is always the same', () => {
    expect(startSandbox().sandbox.apiKey).toBe('us_sandbox_local');
    expect(sandboxApiKey).toBe('us_sandbox_local');
  });

  test('prints nothing on stderr when it is opened', async () => {
    const module = new URL('../../src/sandbox/open.ts', import.meta.url).href;
    const script = `
      const { openSandbox } = await import(${JSON.stringify(module)});
      openSandbox({ directory: process.argv[1], now: Date.now }).close();
      process.emitWarning('still heard');
    `;
    const { stderr } = await execa(process.execPath, [
      '--input-type=module',
      '--eval',
      script,
      temporaryDirectory(),
    ]);
    expect(stderr).toContain('still heard');
    expect(stderr).not.toContain('SQLite');
  });
});

describe('the data', () => {
  test('is kept between runs', async () => {
    const directory = temporaryDirectory();
    const first = startSandbox({ directory });
    const { emailId } = await first.ok('email.send', { body: email() });
    first.sandbox.close();
    const second = startSandbox({ directory });
    second.advance(10_000);
    const shown = await second.ok('email.get', { params: { emailId } });
    expect(shown.emailEvents).toHaveLength(2);
  });

  test('is new after a reset, in other processes, too', async () => {
    const directory = temporaryDirectory();
    const { ok, request } = startSandbox({ directory });
    await ok('domain.verify', { params: { id: 2 } });
    await ok('email.send', { body: email() }, { 'Idempotency-Key': 'k' });
    await request('POST', '/domains', { body: { name: 'shop.test', region: 'eu-west-1' } });
    resetSandbox({ directory, now: () => start });

    expect((await ok('email.list', { query: {} })).count).toBe(2);
    const domains = await ok('domain.list', {});
    expect(domains.map(({ id, status }) => [id, status])).toEqual([
      [3, 'NOT_STARTED'],
      [2, 'PENDING'],
      [1, 'SUCCESS'],
    ]);
    const body = email({ subject: 'Another' });
    await ok('email.send', { body }, { 'Idempotency-Key': 'k' });
  });
});

describe('data that cannot be opened', () => {
  test('because the file is something else, is not changed', () => {
    const directory = temporaryDirectory();
    const { sandbox } = startSandbox({ directory });
    sandbox.close();
    writeFileSync(sandbox.path, 'no database '.repeat(1000));
    const open = () => openSandbox({ directory, now: () => start });
    expect(open).toThrow(SandboxUnavailable);
    expect(open).toThrow(sandbox.path);
    expect(readFileSync(sandbox.path, 'utf8')).toMatch(/^no database/);
  });

  test('because the directory is a file, is an error of its own', () => {
    const directory = join(temporaryDirectory(), 'file');
    writeFileSync(directory, '');
    expect(() => openSandbox({ directory, now: () => start })).toThrow(SandboxUnavailable);
  });
});

test('an export is of one moment, whatever is sent meanwhile', async () => {
  const directory = temporaryDirectory();
  const { ok } = startSandbox({ directory });
  const pieces = exportSandbox({ directory, now: () => start });
  const first = pieces.next().value ?? '';
  await ok('email.send', { body: email({ subject: 'Meanwhile' }) });
  const text = [first, ...pieces].join('');
  expect(text).toContain('Your receipt');
  expect(text).not.toContain('Meanwhile');
});

test('mail that waits for an SMTP server stays QUEUED in a copy, or it would arrive twice', async () => {
  const smtp = readSmtpUrl('smtp://127.0.0.1:1') ?? expect.fail();
  const { sandbox, ok } = startSandbox();
  const delivery = await sandbox.deliverBySmtp(smtp);
  onTestFinished(async () => void (await delivery.stop()));
  const { emailId } = await ok('email.send', { body: email() });
  expect(sandbox.waiting()).toBe(1);
  const text = [...exportSandbox({ directory: dirname(sandbox.path), now: () => start })].join('');

  const seeds = seedFile.parse(JSON.parse(text));
  const copy = startSandbox({ fresh: { empty: true, seeds } });
  const copied = await copy.sandbox.deliverBySmtp(smtp);
  onTestFinished(async () => void (await copied.stop()));
  copy.advance(30 * day);
  expect(copy.sandbox.waiting()).toBe(0);
  const { data } = await copy.ok('email.list', { query: {} });
  expect(data.find(({ id }) => id === emailId)).toMatchObject({ latestStatus: 'QUEUED' });
});

test('a failure in the background is reported once, until it works again', async () => {
  const log: string[] = [];
  let runs = 0;
  const stop = inBackground(
    () => {
      runs++;
      if (runs !== 3) throw new Error(`failed ${runs}`);
      return false;
    },
    (line) => log.push(line),
  );
  onTestFinished(stop);
  await vi.waitFor(() => expect(runs).toBeGreaterThan(4), { timeout: patience });
  expect(log).toEqual(['failed 1', 'failed 4']);
});

describe('a job that fails', () => {
  test.each([
    ['of a kind that this version does not know', 'later.kind', '{}', /later\.kind of/],
    ['half way', 'email.report', '{"status":"BOUNCED","recipient":"a@a.test"}', /email\.report of/],
  ])('%s is logged and dropped, and changes nothing', async (_, kind, detail, told) => {
    const lines: string[] = [];
    const { sandbox, ok, advance } = startSandbox({ log: (line) => lines.push(line) });
    const { emailId } = await ok('email.send', { body: email() });
    const database = new DatabaseSync(sandbox.path);
    const add = 'INSERT INTO jobs (due_at, kind, subject, detail) VALUES (?, ?, ?, ?)';
    database.prepare(add).run(start, kind, emailId, detail);
    database.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON emails WHEN NEW.latest_status = 'BOUNCED'
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    database.close();
    advance(second * 5);
    const { emailEvents } = await ok('email.get', { params: { emailId } });
    expect(emailEvents.map(({ status }) => status).sort()).toEqual(['DELIVERED', 'SENT']);
    await ok('domain.list', {});
    expect(lines).toEqual([expect.stringMatching(told)]);
  });
});
