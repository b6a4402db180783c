import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/api/operations.ts';
import { email, envelope, startSandbox } from '../harness.ts';

describe('every operation', () => {
  const all = Object.values(operations);
  const url = (path: string) => path.slice('/v1'.length).replaceAll(/\{\w+\}/g, '123');

  // The description of the API needs no key.
  const withKey = all.filter(({ id }) => id !== 'service.doc');

  test.each(withKey)('$id needs a key', async ({ method, path }) => {
    const { request } = startSandbox();
    const reply = await request(method, url(path), { key: null });
    expect(reply).toMatchObject(envelope(401, 'UNAUTHORIZED'));
    expect(reply.headers.has('X-RateLimit-Limit')).toBe(false);
  });

  test.each(withKey)('$id rejects a wrong key with 403', async ({ method, path }) => {
    const { request } = startSandbox();
    const reply = await request(method, url(path), { key: 'us_wrong' });
    expect(reply).toMatchObject(envelope(403, 'FORBIDDEN'));
    expect(reply.text).toContain('Invalid API token');
  });

  test.each(all)('$id exists', async ({ method, path }) => {
    const { request } = startSandbox();
    const reply = await request(method, url(path), { body: method === 'GET' ? undefined : {} });
    expect(reply.body).toBeTypeOf('object');
  });
});

test('a key without Bearer is rejected', async () => {
  const { request, sandbox } = startSandbox();
  for (const header of [sandbox.apiKey, 'Bearer', 'Bearer ', '']) {
    const reply = await request('GET', '/domains', {
      key: null,
      headers: { Authorization: header },
    });
    expect(reply).toMatchObject(envelope(401, 'UNAUTHORIZED'));
  }
});

test('a key in another scheme than Bearer is wrong', async () => {
  const { request, sandbox } = startSandbox();
  for (const header of [`Basic ${sandbox.apiKey}`, `bearer ${sandbox.apiKey}`, 'Basic abc']) {
    const headers = { Authorization: header };
    const reply = await request('GET', '/domains', { key: null, headers });
    expect(reply).toMatchObject(envelope(403, 'FORBIDDEN'));
  }
});

describe('an unknown route', () => {
  test.each([
    ['GET', '/nothing'],
    ['PUT', '/emails'],
    ['GET', '/emails/'],
    ['DELETE', '/emails/email_welcome'],
  ])('%s %s is a 404 in plain text', async (method, path) => {
    const { request } = startSandbox();
    const reply = await request(method, path);
    expect(reply).toMatchObject({ status: 404, text: '404 Not Found' });
    expect(reply.headers.get('Content-Type')).toMatch(/^text\/plain/);
  });
});

describe('a body', () => {
  test('that is not JSON is rejected', async () => {
    const { request } = startSandbox();
    const reply = await request('POST', '/emails', { rawBody: '{"to":' });
    expect(reply).toMatchObject(envelope(400, 'BAD_REQUEST'));
  });

  test('that is not declared as JSON is not read', async () => {
    const { request } = startSandbox();
    const headers = { 'Content-Type': 'text/plain' };
    const reply = await request('POST', '/emails', { body: email(), headers });
    expect(reply).toMatchObject({ status: 400, body: { error: { name: 'ZodError' } } });
  });

  test('is ignored where none is expected', async () => {
    const { request } = startSandbox();
    const reply = await request('PUT', '/domains/1/verify', { rawBody: 'nonsense' });
    expect(reply.status).toBe(200);
  });
});

describe('responses', () => {
  test('carry a request id, errors too', async () => {
    const { request } = startSandbox();
    const ids = [];
    for (const path of ['/domains', '/nothing', '/emails/none', '/emails?page=0']) {
      ids.push((await request('GET', path)).headers.get('X-Request-Id'));
    }
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain(null);
  });

  test('are JSON with the rate limit in the headers', async () => {
    const { request } = startSandbox();
    for (const path of ['/domains', '/emails/none']) {
      const { headers } = await request('GET', path);
      expect(headers.get('Content-Type')).toMatch(/^application\/json/);
      expect(Number(headers.get('X-RateLimit-Limit'))).toBeGreaterThan(1000);
      expect(Number(headers.get('X-RateLimit-Remaining'))).toBeGreaterThan(1000);
      expect(headers.get('X-RateLimit-Reset')).toBe('1769860801');
    }
  });
});

describe('a rate limit', () => {
  test('responds with 429 until the second is over', async () => {
    const { request, advance } = startSandbox({ rateLimit: 2 });
    const states = [];
    for (const pause of [0, 300, 600, 100]) {
      advance(pause);
      const { status, headers } = await request('GET', '/domains');
      states.push(`${status} ${headers.get('X-RateLimit-Remaining')}`);
    }
    expect(states).toEqual(['200 1', '200 0', '429 0', '200 1']);
  });

  test('is in the envelope, with Retry-After', async () => {
    const { request } = startSandbox({ rateLimit: 1 });
    await request('GET', '/domains');
    const reply = await request('GET', '/domains');
    expect(reply).toMatchObject(envelope(429, 'RATE_LIMITED'));
    expect(reply.headers.get('Retry-After')).toBe('1');
    expect(reply.headers.get('X-RateLimit-Limit')).toBe('1');
  });

  test('does not count requests without a key', async () => {
    const { request } = startSandbox({ rateLimit: 1 });
    await request('GET', '/domains', { key: null });
    expect((await request('GET', '/domains')).status).toBe(200);
  });
});

test('the front page explains the sandbox', async () => {
  const { sandbox } = startSandbox();
  const reply = await sandbox.fetch(new Request('http://sandbox.test/'));
  expect(reply.status).toBe(200);
  expect(await reply.text()).toContain('sandbox');
});
