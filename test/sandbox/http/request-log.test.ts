import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { maxBodyBytes, serve } from '../../../src/sandbox/http/serve.ts';
import { email, startSandbox, type TestSandbox } from '../harness.ts';
import { see } from '../inbox/pages.ts';

/** The stored requests, oldest first, as the database has them. */
function kept({ sandbox }: TestSandbox) {
  const database = new DatabaseSync(sandbox.path, { readOnly: true });
  try {
    return database.prepare('SELECT * FROM requests ORDER BY seq').all();
  } finally {
    database.close();
  }
}

const real = 'us_a1b2c3d4e5_0123456789abcdef0123456789abcdef';

test.each([
  ['Authorization', `Bearer ${real}`],
  ['AUTHORIZATION', `bearer ${real}`],
  ['authorization', 'Bearer another-providers-key-0001'],
  ['Authorization', 'another-providers-key-0001'],
  ['Authorization', 'Basic dXNlcjphbm90aGVyLXNlY3JldA=='],
  ['X-API-Key', 'another-providers-key-0001'],
  ['x-auth-token', 'another-providers-key-0001'],
  ['Proxy-Authorization', 'Basic dXNlcjphbm90aGVyLXNlY3JldA=='],
  ['Cookie', 'session=another-providers-key-0001'],
  ['X-Forwarded-For', real],
  ['X-Forwarded-For', real.replace('us_', 'msk_')],
])('a key in the header %s is not kept: %s', async (name, value) => {
  const own = startSandbox();
  const key = value.split(' ').at(-1) ?? '';
  await own.request('GET', `/domains?note=${encodeURIComponent(key)}`, {
    key: null,
    headers: { [name]: value },
  });
  const [row] = kept(own);
  expect(row?.request_headers).toContain('(hidden)');
  if (name !== 'Cookie') expect(JSON.stringify(row)).not.toContain(key);
  expect(row?.request_headers).not.toContain(key);
});

test.each([
  `/domains?api_key=${real}`,
  '/domains?a=1&API-KEY=another-providers-key-0001',
  '/domains?key=another-providers-key-0001&b=2',
  '/domains?access_token=another%2Dproviders-key-0001',
  `/contactBooks/${real}`,
  `/domains?note=is%3D${real}`,
])('a key in the path or query is not kept: %s', async (path) => {
  const own = startSandbox();
  await own.request('GET', path);
  const text = JSON.stringify(kept(own));
  expect(text).toContain('(hidden)');
  expect(text).not.toMatch(/0123456789abcdef|providers-key/);
});

test('a key in the body or the response is not kept', async () => {
  const own = startSandbox();
  const key = 'another-providers-key-0001';
  await own.request('POST', '/emails', { key, body: email({ subject: `${key} ${real}` }) });
  await own.request('POST', '/emails', { body: email({ from: `a@${real.toLowerCase()}.test` }) });
  await own.request('POST', '/emails', { body: email({ text: `The key is\n${real}` }) });
  expect(JSON.stringify(kept(own))).not.toMatch(/0123456789abcdef|providers-key/);
});

test("the sandbox's own keys open nothing else, and are kept", async () => {
  const own = startSandbox();
  await own.request('GET', '/domains');
  await own.request('GET', '/domains', { key: 'us_sandbox_blocked' });
  expect(kept(own).map((row) => row.request_headers)).toEqual([
    expect.stringContaining('Bearer us_sandbox_local'),
    expect.stringContaining('Bearer us_sandbox_blocked'),
  ]);
});

test('words that only look like secrets stay', async () => {
  const own = startSandbox();
  await own.request('GET', '/campaigns?search=token&author=us_customers_list');
  await own.request('POST', '/emails', { body: email(), headers: { 'Idempotency-Key': 'k-1' } });
  const [search, send] = kept(own);
  expect(search?.path).toBe('/api/v1/campaigns?search=token&author=us_customers_list');
  expect(send?.request_headers).toContain('k-1');
});

test('the id of a request is kept with it, as the client saw it', async () => {
  const own = startSandbox();
  const { headers } = await own.request('GET', '/domains');
  const id = headers.get('X-Request-Id');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(kept(own)[0]?.reply_headers).toContain(id);
});

test('of a long body, the beginning and the length are kept', async () => {
  const own = startSandbox();
  await own.request('POST', '/emails', { body: email({ text: 'x'.repeat(200_000) }) });
  const [row] = kept(own);
  expect(String(row?.request_body)).toHaveLength(65_536);
  expect(row?.request_length).toBe(JSON.stringify(email({ text: 'x'.repeat(200_000) })).length);
});

test('32 clients at once: all get responses, the last 500 are kept in order', async () => {
  const own = startSandbox();
  const served = await serve({ fetch: own.sandbox.fetch, port: 0 });
  const answers = await Promise.all(
    Array.from({ length: 32 }, async (_, client) => {
      const statuses: number[] = [];
      for (let nth = 0; nth < 17; nth++) {
        const headers = { Authorization: `Bearer ${own.sandbox.apiKey}` };
        const path = `/v1/emails?search=${client}-${nth}`;
        const reply = await fetch(`${served.url}${path}`, { headers });
        statuses.push(reply.status);
        await reply.body?.cancel();
      }
      return statuses;
    }),
  );
  await served.close();
  expect(new Set(answers.flat())).toEqual(new Set([200]));

  const rows = kept(own);
  expect(rows).toHaveLength(500);
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, at) => 45 + at));
  const seen = new Map<string, number>();
  for (const { path } of rows) {
    const [, client = '', nth] = /search=(\d+)-(\d+)$/.exec(String(path)) ?? [];
    // Each client waits for its responses, so its requests are stored in order.
    expect(Number(nth)).toBeGreaterThan(seen.get(client) ?? -1);
    seen.set(client, Number(nth));
  }
});

test('a database that another process holds makes no request fail', async () => {
  const lines: string[] = [];
  const own = startSandbox({ log: (line) => lines.push(line) });
  await own.request('GET', '/domains');
  const other = new DatabaseSync(own.sandbox.path);
  other.exec('BEGIN IMMEDIATE');
  for (let nth = 0; nth < 5; nth++) {
    expect(await own.request('GET', '/campaigns')).toMatchObject({ status: 200 });
  }
  other.exec('ROLLBACK');
  other.close();
  expect(lines).toEqual([expect.stringMatching(/^Requests cannot be recorded for now: .*locked/)]);

  await own.request('GET', '/domains');
  expect(kept(own).map(({ path }) => path)).toEqual(['/api/v1/domains', '/api/v1/domains']);
});

test('a broken log of requests makes no request fail', async () => {
  const lines: string[] = [];
  const own = startSandbox({ log: (line) => lines.push(line) });
  const other = new DatabaseSync(own.sandbox.path);
  other.exec('DROP TABLE requests');
  other.close();
  expect(await own.request('POST', '/emails', { body: email() })).toMatchObject({ status: 200 });
  expect(await own.request('GET', '/domains')).toMatchObject({ status: 200 });
  expect(lines).toHaveLength(1);
});

describe('a request that is rejected before the API sees it', () => {
  async function served() {
    const own = startSandbox();
    const { fetch, refused } = own.sandbox;
    const server = await serve({ fetch, refused, port: 0 });
    onTestFinished(() => server.close());
    const from = (origin: string, path: string) =>
      globalThis.fetch(`${server.origin}${path}`, {
        headers: { Origin: origin, Authorization: `Bearer ${real}` },
      });
    return { own, server, from };
  }

  test.each([
    ['of a length that is told', Buffer.alloc(maxBodyBytes + 1, 'a')],
    ['of none that is told', new Blob([Buffer.alloc(maxBodyBytes + 1, 'a')]).stream()],
  ])('is kept when its body is too large, %s', async (_, body) => {
    const { own, server } = await served();
    const reply = await fetch(`${server.url}/v1/emails?token=${real}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${real}` },
      body,
      duplex: 'half',
    });
    expect(reply.status).toBe(413);
    const [row] = kept(own);
    expect(row).toMatchObject({
      method: 'POST',
      path: '/api/v1/emails?token=(hidden)',
      status: 413,
      reason: '413 Payload Too Large: a body has 32 MiB at most',
      request_body: '',
    });
    expect(row?.request_length).toBeGreaterThan(maxBodyBytes);
    expect(JSON.stringify(row)).not.toContain('0123456789abcdef');
    const page = await see(own, '/requests/1');
    expect(page.text).toMatch(/It had [\d,]+ characters; [\d,]+ are not shown/);
    expect(page.text).toContain('--data-binary @body');
  });

  test('is kept when a page of another site sent it, without displacing others', async () => {
    const { own, from } = await served();
    await own.request('GET', '/domains');
    for (let nth = 0; nth < 550; nth++) {
      const reply = await from('http://elsewhere.test', `/api/v1/emails?nth=${nth}`);
      expect(reply.status).toBe(403);
      await reply.body?.cancel();
    }
    await own.request('GET', '/campaigns');
    const rows = kept(own);
    expect(rows.map(({ path }) => path)).toEqual([
      '/api/v1/domains',
      ...Array.from({ length: 20 }, (_, nth) => `/api/v1/emails?nth=${530 + nth}`),
      '/api/v1/campaigns',
    ]);
    expect(rows[1]).toMatchObject({
      status: 403,
      reason: '403 Forbidden: sent by a page of another site',
    });
    expect(JSON.stringify(rows)).not.toContain('0123456789abcdef');
  });

  test('is not kept when it is not for the API', async () => {
    const { own, from } = await served();
    for (const path of ['/', '/control', '/apis', '/unsubscribe/x']) {
      expect((await from('http://elsewhere.test', path)).status).toBe(403);
    }
    expect(kept(own)).toEqual([]);
  });
});
