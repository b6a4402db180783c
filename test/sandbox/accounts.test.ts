import { cpSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/http/faults/fault.ts';
import { resetSandbox, type SandboxOptions } from '../../src/sandbox/open.ts';
import {
  campaign,
  day,
  email,
  envelope,
  hour,
  start,
  startSandbox,
  temporaryDirectory,
} from './harness.ts';

const origin = 'http://sandbox.test';
const one = 'us_sandbox_test_one';
const other = 'us_sandbox_test_other';

/** A sandbox, and requests with the key of an account; null sends none. */
function withAccounts(options: Partial<SandboxOptions> = {}) {
  const started = startSandbox(options);
  const api = (key: string | null, method: string, path: string, body?: unknown, headers = {}) =>
    started.request(method, path, { key, body, headers });

  async function control(key: string | null, method: string, path = '', body?: unknown) {
    const headers = {
      'Content-Type': 'application/json',
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const request = new Request(`${origin}/control${path}`, { method, headers, ...content });
    const reply = await started.sandbox.fetch(request);
    return { status: reply.status, body: Object(await reply.json()) };
  }

  async function page(path: string, init: RequestInit = {}) {
    const reply = await started.sandbox.fetch(new Request(`${origin}${path}`, init));
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }

  async function subjects(key: string | null): Promise<string[]> {
    const { body } = await api(key, 'GET', '/emails');
    return Object(body).data.map(({ subject }: { subject: string }) => subject);
  }

  return { ...started, api, control, page, subjects };
}

const examples = ['Your receipt', 'Welcome, Ben!'];

describe('a test account', () => {
  test('is made by its key, with the data that the sandbox begins with', async () => {
    const { api, subjects } = withAccounts();
    await api('us_sandbox_local', 'POST', '/emails', email({ subject: 'Mine' }));
    expect(await subjects(one)).toEqual(examples);
    await api(one, 'POST', '/emails', email({ subject: 'Only one' }));
    expect(await subjects(one)).toEqual(['Only one', ...examples]);
    expect(await subjects(other)).toEqual(examples);
    expect(await subjects('us_sandbox_local')).toEqual(['Mine', ...examples]);
  });

  test('begins with the seeds that the sandbox was started with', async () => {
    const seeds = { templates: [{ id: 'tmpl_order', name: 'Order', subject: 'Order', html: 'x' }] };
    const { api, subjects } = withAccounts({ fresh: { empty: true, seeds } });
    expect(await subjects(one)).toEqual([]);
    expect(await api(one, 'GET', '/templates/tmpl_order')).toMatchObject({ status: 200 });
  });

  test('has contacts, idempotency keys and domains of its own', async () => {
    const { api } = withAccounts();
    const contacts = '/contactBooks/book_customers/contacts';
    const body = { email: 'new@example.org' };
    expect(await api(one, 'POST', contacts, body)).toMatchObject({ status: 200 });
    expect((await api(one, 'GET', contacts)).text).toContain('new@example.org');
    expect((await api(other, 'GET', contacts)).text).not.toContain('new@example.org');

    const keyed = (key: string, subject: string) =>
      api(key, 'POST', '/emails', email({ subject }), { 'Idempotency-Key': 'same' });
    expect(await keyed(one, 'First')).toMatchObject({ status: 200 });
    expect(await keyed(other, 'Second')).toMatchObject({ status: 200 });
    expect(await keyed(one, 'Second')).toMatchObject({ status: 409 });

    await api(one, 'POST', '/domains', { name: 'shop.test', region: 'eu-west-1' });
    expect((await api(other, 'GET', '/domains')).text).not.toContain('shop.test');
  });

  test('is told apart from one whose name differs in capital letters only', async () => {
    const { api, subjects, sandbox } = withAccounts();
    await api('us_sandbox_test_Worker', 'POST', '/emails', email({ subject: 'Capital' }));
    expect(await subjects('us_sandbox_test_worker')).toEqual(examples);
    // As some file systems see them.
    const names = readdirSync(join(sandbox.path, '..', 'accounts')).map((it) => it.toLowerCase());
    expect(new Set(names).size).toBe(2);
  });

  test('is kept, and other processes have it, too', async () => {
    const directory = temporaryDirectory();
    const first = withAccounts({ directory });
    await first.api(one, 'POST', '/emails', email({ subject: 'Kept' }));
    const second = withAccounts({ directory });
    expect(await second.subjects(one)).toContain('Kept');
    await second.api(one, 'POST', '/emails', email({ subject: 'From there' }));
    expect(await first.subjects(one)).toContain('From there');
  });

  test('is not made by a key that is not its own, a path or a page', async () => {
    const { api, page, sandbox } = withAccounts();
    const long = 'x'.repeat(65);
    for (const name of ['', '../../x', 'a/b', 'a.b', 'ä', long]) {
      const key = encodeURI(`us_sandbox_test_${name}`);
      expect(await api(key, 'GET', '/emails'), key).toMatchObject(envelope(403, 'FORBIDDEN'));
    }
    expect(await api('us_sandbox_other', 'GET', '/emails')).toMatchObject({ status: 403 });
    expect(await page('/accounts/nobody/')).toMatchObject({ status: 404 });
    expect(readdirSync(join(sandbox.path, '..'))).not.toContain('accounts');
  });

  test('is one of 250 at most', async () => {
    const { api, control, sandbox } = withAccounts({ fresh: { empty: true } });
    await control('us_sandbox_test_0', 'GET');
    const accounts = join(dirname(sandbox.path), 'accounts');
    // As if the others had been made like the first one.
    for (let at = 1; at < 249; at++) {
      cpSync(join(accounts, 'us_sandbox_test_0'), join(accounts, `us_sandbox_test_${at}`), {
        recursive: true,
      });
    }
    expect(await api('us_sandbox_test_249', 'GET', '/emails')).toMatchObject({ status: 200 });
    expect(await api('us_sandbox_test_more', 'GET', '/emails')).toMatchObject({
      status: 403,
      text: expect.stringContaining(
        '250 test accounts already. To remove them: mailer sandbox reset',
      ),
    });
    expect(await api('us_sandbox_test_249', 'GET', '/emails')).toMatchObject({ status: 200 });
  });
});

describe('the control endpoint', () => {
  test('changes faults, rate limit, language and DNS of the account whose key it gets', async () => {
    const { api, control } = withAccounts();
    await control(one, 'POST', '/faults', { fault: '* * 503' });
    await control(other, 'PUT', '/rate-limit', { perSecond: 1 });
    expect(await api(one, 'GET', '/emails')).toMatchObject({ status: 503 });
    expect(await api(other, 'GET', '/emails')).toMatchObject({ status: 200 });
    expect(await api(other, 'GET', '/emails')).toMatchObject({ status: 429 });
    expect(await api('us_sandbox_local', 'GET', '/emails')).toMatchObject({ status: 200 });
    await control(null, 'POST', '/faults', { fault: '* * 500' });
    expect(await api('us_sandbox_local', 'GET', '/emails')).toMatchObject({ status: 500 });
    expect((await control(other, 'GET')).body).toMatchObject({ account: 'other', faults: [] });

    await control(other, 'PUT', '/language', { language: 'pt' });
    expect((await control(null, 'GET')).body).toMatchObject({ language: 'en' });
    await control(other, 'PUT', '/dns', { publish: 'example.org' });
    const records = async (key: string | null) => (await control(key, 'GET', '/dns')).body.records;
    expect(await records(other)).not.toEqual(await records(null));
  });

  test('gives an account the faults and the rate limit of the start, uncounted', async () => {
    const faults = [parseFault('GET /v1/domains 503 x1')];
    const { api, control } = withAccounts({ faults, rateLimit: 9 });
    for (const key of ['us_sandbox_local', one, other]) {
      expect(await api(key, 'GET', '/domains')).toMatchObject({ status: 503 });
      expect(await api(key, 'GET', '/domains')).toMatchObject({ status: 200 });
      expect((await control(key, 'GET')).body).toMatchObject({ rateLimit: { perSecond: 9 } });
    }
  });

  test('advances the clock of the account alone', async () => {
    const { api, control } = withAccounts();
    const scheduledAt = new Date(start + hour).toISOString();
    for (const key of [one, other]) {
      await api(key, 'POST', '/emails', email({ subject: 'Later', scheduledAt }));
    }
    expect((await control(one, 'POST', '/advance', { by: '1d' })).body).toMatchObject({
      emails: 1,
    });
    expect((await control(one, 'GET')).body.now).toBe(new Date(start + day).toISOString());
    expect((await control(other, 'GET')).body.now).toBe(new Date(start).toISOString());
    expect((await control(null, 'GET')).body.now).toBe(new Date(start).toISOString());
    expect((await api(other, 'GET', '/emails')).text).toContain('"latestStatus":"SCHEDULED"');
  });

  test('resets one account', async () => {
    const { api, control, subjects } = withAccounts();
    for (const key of [one, other]) {
      await api(key, 'POST', '/emails', email({ subject: 'Sent' }), { 'Idempotency-Key': 'k' });
      await control(key, 'POST', '/faults', { fault: 'GET /v1/domains 503' });
      await control(key, 'POST', '/webhooks', { url: 'http://localhost:1/' });
    }
    const { status, body } = await control(one, 'DELETE', '/account');
    expect(status).toBe(200);
    expect(body).toMatchObject({ faults: [] });
    expect(await subjects(one)).toEqual(examples);
    expect((await control(one, 'GET', '/webhooks')).body).toMatchObject({ webhooks: [] });
    const again = email({ subject: 'Another' });
    const keyed = { 'Idempotency-Key': 'k' };
    expect(await api(one, 'POST', '/emails', again, keyed)).toMatchObject({ status: 200 });
    expect(await subjects(other)).toEqual(['Sent', ...examples]);
    expect((await control(other, 'GET', '/webhooks')).body.webhooks).toHaveLength(1);
    expect(await api(other, 'GET', '/domains')).toMatchObject({ status: 503 });
  });

  test('resets no account without a key, and the own one with its key', async () => {
    const { api, control, subjects } = withAccounts();
    for (const key of [one, 'us_sandbox_local']) await api(key, 'POST', '/emails', email());
    expect(await control(null, 'DELETE', '/account')).toMatchObject(envelope(400, 'BAD_REQUEST'));
    expect(await subjects('us_sandbox_local')).toHaveLength(3);
    await control('us_sandbox_local', 'DELETE', '/account');
    expect(await subjects('us_sandbox_local')).toEqual(examples);
    expect(await subjects(one)).toHaveLength(3);
  });

  test('rejects a key that is not known, which could be a misspelt one', async () => {
    const { control, api, subjects } = withAccounts();
    await api('us_sandbox_local', 'POST', '/emails', email());
    for (const key of ['us_sandbox_tset_one', 'us_sandbox_test_a.b']) {
      expect(await control(key, 'POST', '/reset')).toMatchObject(envelope(403, 'FORBIDDEN'));
    }
    expect(await subjects('us_sandbox_local')).toHaveLength(3);
  });
});

test('a reset of the sandbox deletes all accounts, in a running one, too', async () => {
  const directory = temporaryDirectory();
  const { api, control, subjects } = withAccounts({ directory });
  await api(one, 'POST', '/emails', email());
  await control(one, 'POST', '/faults', { fault: 'GET /v1/domains 503' });
  resetSandbox({ directory, now: () => start });
  expect(await subjects(one)).toEqual(examples);
  expect(await api(one, 'GET', '/domains')).toMatchObject({ status: 200 });

  // The control endpoint resets the account that it is asked for only.
  await api(one, 'POST', '/emails', email());
  await control(null, 'POST', '/reset');
  expect(await subjects(one)).toHaveLength(3);
});

test('links in mail need no key, and change the account that sent it', async () => {
  const { api, control, page } = withAccounts();
  for (const key of [one, other, 'us_sandbox_local']) {
    const { body } = await api(key, 'POST', '/campaigns', campaign());
    await api(key, 'POST', `/campaigns/${Object(body).id}/schedule`, {});
    await control(key, 'POST', '/advance', { by: '1h' });
  }
  const sent = await api(one, 'GET', '/emails?limit=1');
  const [{ id }] = Object(sent.body).data;
  const { text } = await api(one, 'GET', `/emails/${id}`);
  const [, link = ''] = /(http[^"\\]+unsubscribe\/\w+)/.exec(text) ?? [];
  expect(link).toBe(`${origin}/accounts/one/unsubscribe/${id}`);
  const shown = await page(link.slice(origin.length));
  expect(shown).toMatchObject({
    status: 200,
    text: expect.stringContaining('You are unsubscribed'),
  });
  const unsubscribed = async (key: string) =>
    (await api(key, 'GET', '/contactBooks/book_customers/contacts')).text.match(
      /"subscribed":false/g,
    )?.length;
  expect(await unsubscribed(one)).toBe(2);
  expect(await unsubscribed(other)).toBe(1);
  expect(await unsubscribed('us_sandbox_local')).toBe(1);
  const again = await page(link.slice(origin.length), {
    method: 'POST',
    body: new URLSearchParams({ action: 'resubscribe' }),
  });
  expect(again.text).toContain('You are subscribed again');
  expect(await unsubscribed(one)).toBe(1);
  // A path of an account leads to its pages only.
  expect(await page('/accounts/one/api/v1/emails')).toMatchObject({ status: 404 });
  expect(await page('/accounts/one/control')).toMatchObject({ status: 404 });
});

describe('the inbox', () => {
  test('is the same as before without test accounts', async () => {
    const { page } = withAccounts();
    const { text } = await page('/');
    expect(text).not.toContain('us_sandbox_test');
    expect(text).not.toContain('id="accounts"');
  });

  test('shows each account below its path, and its links stay there', async () => {
    const { api, page, control } = withAccounts();
    const subject = 'See href="/requests" <!--accounts-->';
    const html = '<a href="/elsewhere">There</a>';
    const { body } = await api(one, 'POST', '/emails', email({ subject, html }));
    const { emailId } = Object(body);
    expect((await page('/')).text).not.toContain('href=&quot;/requests');
    const pages = [
      '/',
      `/messages/${emailId}`,
      '/campaigns',
      '/contacts',
      '/contacts/book_customers',
      '/domains',
      '/domains/1',
      '/reputation',
      '/requests',
      '/requests/1',
    ];
    for (const path of pages) {
      const { status, text } = await page(`/accounts/one${path}`);
      expect([path, status]).toEqual([path, 200]);
      const links = [...text.matchAll(/ (?:href|action|src|data-updates)="(\/[^"]*)"/g)];
      const others = links.map(([, to]) => to).filter((to) => !to?.startsWith('/accounts/'));
      expect([path, others]).toEqual([path, []]);
    }
    const list = await page('/accounts/one/');
    expect(list.text).toContain('See href=&quot;/requests&quot; &lt;!--accounts--&gt;');
    expect(list.text).toContain(`<code>${one}</code>`);
    expect(list.text).toContain('<code>http://sandbox.test/api</code>');
    // Mail is not changed.
    const mail = await page(`/accounts/one/messages/${emailId}/html`);
    expect(mail.text).toContain(html);

    // Another account has no such message.
    await control(other, 'GET');
    expect(await page(`/accounts/other/messages/${emailId}`)).toMatchObject({ status: 404 });
    expect(await page(`/messages/${emailId}`)).toMatchObject({ status: 404 });
    const read = await page('/accounts/one/read', { method: 'POST' });
    expect(read).toMatchObject({ status: 303 });
    expect(read.headers.get('Location')).toBe('/accounts/one/');
  });

  test('leads from each account to the others', async () => {
    const { control, page } = withAccounts();
    for (const key of [other, one]) await control(key, 'GET');
    for (const path of ['/', '/accounts/one/']) {
      const { text } = await page(path);
      const links = [...text.matchAll(/<li><a href="([^"]+)"[^>]*>(\w+)/g)].map(([, to, key]) => [
        to,
        key,
      ]);
      expect(links).toEqual([
        ['/accounts/', 'us_sandbox_local'],
        ['/accounts/one/', one],
        ['/accounts/other/', other],
      ]);
    }
    expect((await page('/accounts/')).headers.get('Location')).toBe('/');
    expect((await page('/accounts/one')).headers.get('Location')).toBe('/accounts/one/');
    for (const path of ['/accounts/one//other.test/', '/accounts/a%2fb/', '/accounts/One/']) {
      expect((await page(path)).status, path).toBe(404);
    }
  });

  test('shows links of mail as those of its account, also if another server sent it', async () => {
    const { api, page, control } = withAccounts({ linkOrigin: 'http://127.0.0.1:1' });
    const { body } = await api(one, 'POST', '/campaigns', campaign());
    await api(one, 'POST', `/campaigns/${Object(body).id}/schedule`, {});
    await control(one, 'POST', '/advance', { by: '1h' });
    const { data } = Object((await api(one, 'GET', '/emails?limit=1')).body);
    const [{ id }] = data;
    const mail = await page(`/accounts/one/messages/${id}/html`);
    expect(mail.text).toContain(`"${origin}/accounts/one/unsubscribe/${id}"`);
  });
});
