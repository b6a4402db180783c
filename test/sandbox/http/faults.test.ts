import { once } from 'node:events';
import { connect } from 'node:net';
import { UseSend } from 'usesend-js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConnectionLost } from '../../../src/sandbox/http/connection-lost.ts';
import { parseFault } from '../../../src/sandbox/http/faults/fault.ts';
import { createFaults } from '../../../src/sandbox/http/faults/faults.ts';
import { serve } from '../../../src/sandbox/http/serve.ts';
import { setClockOffset } from '../../../src/sandbox/model/clock.ts';
import type { SandboxOptions } from '../../../src/sandbox/open.ts';
import { openDatabase } from '../../../src/sandbox/store/sqlite.ts';
import { createStore } from '../../../src/sandbox/store/store.ts';
import { patience } from '../../support/patience.ts';
import { day, email, envelope, startSandbox } from '../harness.ts';

/** To wait for an event. */
const soon = { timeout: patience, interval: 5 };

function withFaults(texts: readonly string[], options: Partial<SandboxOptions> = {}) {
  return startSandbox({ faults: texts.map(parseFault), ...options });
}

async function served(texts: readonly string[]) {
  const started = withFaults(texts);
  const server = await serve({ fetch: started.sandbox.fetch, port: 0 });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  onTestFinished(close);
  const emails = async () => {
    const { count } = await started.ok('email.list', { query: {} });
    return Number(count) - 2;
  };
  return { ...started, server, close, emails };
}

/** A send, as the text of an HTTP request. */
function sendRequest(key: string): string {
  const body = JSON.stringify(email());
  return [
    'POST /api/v1/emails HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Everything received on a connection until it closes, and its error, if any. */
async function bytesOf(port: number, request: string) {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  let error: Error | undefined;
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  socket.on('error', (reason) => {
    error = reason;
  });
  socket.write(request);
  await once(socket, 'close');
  return { text: Buffer.concat(chunks).toString('utf8'), error };
}

describe('which fault happens to a request', () => {
  const taken = (texts: readonly string[], method: string, path: string) =>
    createFaults(texts.map(parseFault))
      .take(method, path)
      .map(({ text }) => text);

  test.each([
    ['* * 503', 'GET', '/v1/emails', true],
    ['POST * 503', 'GET', '/v1/emails', false],
    ['* /v1/emails 503', 'GET', '/v1/emails', true],
    ['* /v1/emails 503', 'GET', '/v1/emails/a', false],
    ['* /v1/emails 503', 'GET', '/v1/email', false],
    ['* /v1/emails/{emailId} 503', 'GET', '/v1/emails/a', true],
    ['* /v1/emails/{emailId} 503', 'GET', '/v1/emails/', false],
    ['* /v1/emails/{emailId} 503', 'POST', '/v1/emails/a/cancel', false],
    ['* /v1/emails/{emailId}/cancel 503', 'POST', '/v1/emails/a/cancel', true],
    ['* /v1/emails/a 503', 'GET', '/v1/emails/a', true],
    ['* /v1/emails/a 503', 'GET', '/v1/emails/b', false],
    ['* /v1/emails/* 503', 'GET', '/v1/emails/a', true],
    ['* /v1/emails/* 503', 'POST', '/v1/emails/a/cancel', true],
    ['* /v1/emails/* 503', 'GET', '/v1/emails', false],
    ['* /v1/emails/* 503', 'GET', '/v1/emails/', false],
    ['* /* 503', 'GET', '/v1/emails', true],
  ])('%s for %s %s: %s', (fault, method, path, happens) => {
    expect(taken([fault], method, path)).toEqual(happens ? [fault] : []);
  });

  test('is the first that matches and is not used up, and all delays', () => {
    const faults = createFaults(
      [
        'POST * 500',
        '* * delay 1s x2',
        'GET * 503 x1',
        '* * delay 2s',
        'GET /v1/emails 502 x1',
      ].map(parseFault),
    );
    const next = () => faults.take('GET', '/v1/emails').map(({ text }) => text);
    expect(next()).toEqual(['* * delay 1s x2', 'GET * 503 x1', '* * delay 2s']);
    expect(next()).toEqual(['* * delay 1s x2', '* * delay 2s', 'GET /v1/emails 502 x1']);
    expect(next()).toEqual(['* * delay 2s']);
    expect(faults.list().map(({ left, used }) => [left, used])).toEqual([
      [null, 0],
      [0, 2],
      [0, 1],
      [null, 3],
      [0, 1],
    ]);
  });

  test('is rejected beyond the limit: used-up ones make room, others do not', () => {
    const many = (text: string) => Array.from({ length: 1000 }, () => parseFault(text));
    const faults = createFaults(many('* * 503 x1'));
    for (let count = 0; count < 999; count++) faults.take('GET', '/');
    faults.add(many('* * 500').slice(1));
    expect(faults.list()).toHaveLength(1000);
    expect(() => faults.add([parseFault('* * drop')])).toThrow('at most 1000 faults');
    expect(faults.list()).toHaveLength(1000);
  });
});

describe('a status', () => {
  test.each([
    [400, 'BAD_REQUEST'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [405, 'METHOD_NOT_ALLOWED'],
    [409, 'NOT_UNIQUE'],
    [418, 'BAD_REQUEST'],
    [429, 'RATE_LIMITED'],
    [500, 'INTERNAL_SERVER_ERROR'],
  ])('%i is the envelope with its code', async (status, code) => {
    const { request } = withFaults([`* * ${status} x1`]);
    const reply = await request('GET', '/domains');
    expect(reply).toMatchObject(envelope(status, code));
    expect(reply.headers.get('X-Sandbox-Fault')).toBe(`* * ${status} x1`);
    expect(reply.headers.get('Retry-After')).toBe(status === 429 ? '1' : null);
    expect(reply.headers.get('X-RateLimit-Remaining')).toBe(status === 429 ? '0' : null);
    const after = await request('GET', '/domains');
    expect(after.status).toBe(200);
    expect(after.headers.get('X-Sandbox-Fault')).toBeNull();
  });

  test.each([502, 503, 504, 507])('%i is a page of a proxy', async (status) => {
    const { request } = withFaults([`* * ${status}`]);
    const reply = await request('GET', '/domains', { key: null });
    expect(reply).toMatchObject({ status, text: expect.stringContaining(`<h1>${status} `) });
    expect(reply.headers.get('Content-Type')).toContain('text/html');
  });

  test.each([
    ['400:zod', { success: false, error: { name: 'ZodError', issues: [{}] } }],
    ['404:bare', { error: 'Not Found' }],
    ['503:envelope', { error: { code: 'INTERNAL_SERVER_ERROR', message: 'Service Unavailable' } }],
    ['404:text', undefined],
  ])('%s has the shape asked for', async (effect, body) => {
    const { request } = withFaults([`* * ${effect}`]);
    const reply = await request('GET', '/domains');
    expect(reply.status).toBe(Number(effect.slice(0, 3)));
    if (body === undefined) {
      expect(reply.text).toBe('404 Not Found');
      expect(reply.headers.get('Content-Type')).toMatch(/^text\/plain/);
    } else expect(reply.body).toMatchObject(body);
  });

  test('keeps the request from being processed', async () => {
    const { request, ok } = withFaults(['POST /v1/emails 503']);
    expect(await request('POST', '/emails', { body: email() })).toMatchObject({ status: 503 });
    expect((await ok('email.list', { query: {} })).count).toBe(2);
  });
});

describe('an account', () => {
  test('whose key has expired is rejected like an unknown one', async () => {
    const { request } = withFaults(['* * expired-key x1']);
    const expired = await request('GET', '/domains');
    const unknown = await request('GET', '/domains', { key: 'us_wrong' });
    expect(expired).toMatchObject({ status: 403, text: unknown.text });
  });

  test('that is blocked may read, but not send', async () => {
    const { request, sandbox } = withFaults(['* * blocked']);
    expect(await request('GET', '/domains')).toMatchObject({ status: 200 });
    const refused = await request('POST', '/emails', { body: email() });
    expect(refused).toMatchObject(envelope(403, 'FORBIDDEN'));
    expect(await request('GET', '/domains', { key: 'us_wrong' })).toMatchObject({ status: 403 });
    expect(sandbox.apiKey).not.toBe('us_wrong');
  });
});

describe('a short batch', () => {
  const batch = (count: number) =>
    Array.from({ length: count }, (_, index) => email({ subject: `Mail ${index + 1}` }));

  async function sending(fault: string, count: number) {
    const started = withFaults([fault]);
    const { ok } = started;
    const send = () =>
      ok('email.batch', { body: batch(count) }, { 'Idempotency-Key': 'newsletter-1' });
    const { data } = await send();
    const emails = data.map(({ emailId }) => ok('email.get', { params: { emailId } }));
    const subjects = (await Promise.all(emails)).map(({ subject }) => subject);
    const stored = async () => Number((await ok('email.list', { query: {} })).count) - 2;
    return { data, subjects, send, stored };
  }

  test.each([
    ['short', 5, ['Mail 1', 'Mail 3', 'Mail 5']],
    ['short 3', 7, ['Mail 1', 'Mail 2', 'Mail 4', 'Mail 5', 'Mail 7']],
    ['short 4', 4, ['Mail 1', 'Mail 2', 'Mail 3']],
    ['short 4', 3, ['Mail 1', 'Mail 2', 'Mail 3']],
  ])('%s of %i: left-out emails do not exist', async (effect, count, created) => {
    const { subjects, stored } = await sending(`POST /v1/emails/batch ${effect}`, count);
    expect(subjects).toEqual(created);
    expect(await stored()).toBe(created.length);
  });

  test('is as short when it is repeated under its key, and sends nothing more', async () => {
    const { data, send, stored } = await sending('POST * short x1', 4);
    expect(await send()).toEqual({ data });
    expect(await stored()).toBe(2);
  });

  test('is not if one of its emails is rejected: nothing is sent', async () => {
    const { send } = withFaults(['* * short']);
    const reply = await send('email.batch', { body: [email(), email({ from: 'a@nowhere.test' })] });
    expect(reply).toMatchObject(envelope(400, 'BAD_REQUEST'));
  });

  test('does not apply to single emails', async () => {
    const { ok } = withFaults(['* * short']);
    await ok('email.send', { body: email() });
    expect((await ok('email.list', { query: {} })).count).toBe(3);
  });
});

describe('a connection', () => {
  test('is dropped: no byte is returned, and nothing is processed', async () => {
    const { server, sandbox, emails } = await served(['* * drop x1']);
    const request = sendRequest(sandbox.apiKey);
    expect(await bytesOf(server.port, request)).toEqual({ text: '', error: undefined });
    expect(await emails()).toBe(0);
  });

  test('is dropped after the email is stored', async () => {
    const { server, sandbox, emails } = await served(['POST * drop-reply x1']);
    const request = sendRequest(sandbox.apiKey);
    expect(await bytesOf(server.port, request)).toEqual({ text: '', error: undefined });
    expect(await emails()).toBe(1);
  });

  test('is cut in the middle of the body', async () => {
    const { server, sandbox, emails } = await served(['POST * cut-reply x1']);
    const { text, error } = await bytesOf(server.port, sendRequest(sandbox.apiKey));
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(error).toBeUndefined();
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(length).toBeGreaterThan(20);
    expect(body).toHaveLength(Math.floor(length / 2));
    expect(body).toMatch(/^\{"emailId":"/);
    expect(await emails()).toBe(1);
  });

  test('in process is an error that a caller can know', async () => {
    const { request } = withFaults(['GET * drop', 'POST * cut-reply']);
    await expect(request('GET', '/domains')).rejects.toThrow(ConnectionLost);
    await expect(request('POST', '/emails', { body: email() })).rejects.toMatchObject({
      cutReply: { status: 200 },
    });
  });

  test('serves again after each of them', async () => {
    const { server, sandbox } = await served(['* * drop x1', '* * drop-reply x1', '* * 503 x1']);
    const headers = { Authorization: `Bearer ${sandbox.apiKey}` };
    const get = () => fetch(`${server.url}/v1/domains`, { headers }).then((reply) => reply.status);
    await expect(get()).rejects.toThrow();
    await expect(get()).rejects.toThrow();
    expect(await get()).toBe(503);
    expect(await get()).toBe(200);
  });
});

describe('a delay', () => {
  test('adds up with the others of its request', async () => {
    const { request } = withFaults(['* * delay 80ms', 'GET * delay 40ms']);
    const before = performance.now();
    await request('GET', '/domains');
    // Each timer may be early by less than a millisecond.
    expect(performance.now() - before).toBeGreaterThan(118);
  });

  test('comes before a request is processed, and before another fault', async () => {
    const { request } = withFaults(['* * delay 1ms', 'GET /v1/domains 404', '* * delay 2ms x1']);
    const reply = await request('GET', '/domains');
    expect(reply.status).toBe(404);
    expect(reply.headers.get('X-Sandbox-Fault')).toBe(
      '* * delay 1ms, GET /v1/domains 404, * * delay 2ms x1',
    );
    expect((await request('GET', '/campaigns')).status).toBe(200);
  });

  test('of a send with a key claims the key: the same request gets 409, and later the same id', async () => {
    const { server, sandbox, emails } = await served(['POST /v1/emails delay 1h x1']);
    const leaving = new AbortController();
    const sendKeyed = (signal?: AbortSignal) =>
      fetch(`${server.url}/v1/emails`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${sandbox.apiKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'order-1',
        },
        body: JSON.stringify(email()),
        ...(signal && { signal }),
      });
    const first = sendKeyed(leaving.signal);
    await vi.waitFor(async () => expect(await useOf(server.origin)).toBe(1), soon);
    const second = await sendKeyed();
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ error: { code: 'NOT_UNIQUE' } });
    leaving.abort();
    await expect(first).rejects.toThrow();
    await vi.waitFor(async () => expect((await sendKeyed()).status).toBe(200), soon);
    expect(await emails()).toBe(1);
  });

  test('is as long for a rejected request', async () => {
    const { request } = withFaults(['* * delay 40ms']);
    const before = performance.now();
    expect((await request('GET', '/domains', { key: 'us_wrong' })).status).toBe(403);
    expect(performance.now() - before).toBeGreaterThan(39);
  });

  test('ends when the client disconnects, and the request is processed', async () => {
    const { server, sandbox, emails } = await served(['POST * delay 1h']);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(sendRequest(sandbox.apiKey));
    await vi.waitFor(async () => expect(await useOf(server.origin)).toBe(1), soon);
    expect(await emails()).toBe(0);
    socket.destroy();
    await vi.waitFor(async () => expect(await emails()).toBe(1), soon);
  });

  test.each([
    ['503', 0],
    ['drop', 0],
    ['drop-reply', 1],
    ['cut-reply', 1],
  ])(
    'and then %s, after the client has disconnected: the next one is served',
    async (effect, stored) => {
      const { server, close, sandbox, emails } = await served([
        'POST * delay 1h',
        `* * ${effect} x1`,
      ]);
      const socket = connect(server.port, '127.0.0.1');
      socket.write(sendRequest(sandbox.apiKey));
      await vi.waitFor(async () => expect(await useOf(server.origin)).toBe(1), soon);
      socket.destroy();
      const headers = { Authorization: `Bearer ${sandbox.apiKey}` };
      expect((await fetch(`${server.url}/v1/domains`, { headers })).status).toBe(200);
      await close();
      expect(await emails()).toBe(stored);
    },
  );

  test('ends when the server stops, which waits until all requests are processed', async () => {
    const { server, close, sandbox, emails } = await served(['POST * delay 1h']);
    const answered = bytesOf(server.port, sendRequest(sandbox.apiKey));
    await vi.waitFor(async () => expect(await useOf(server.origin)).toBe(1), soon);
    await close();
    expect(await emails()).toBe(1);
    expect(await answered).toMatchObject({ text: '' });
  });

  test('is not affected by faults that are added meanwhile', async () => {
    const { server, sandbox, emails } = await served(['POST * delay 1h']);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(sendRequest(sandbox.apiKey));
    await vi.waitFor(async () => expect(await useOf(server.origin)).toBe(1), soon);
    await fetch(`${server.origin}/control/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ fault: 'POST * 503' }),
    });
    socket.destroy();
    await vi.waitFor(async () => expect(await emails()).toBe(1), soon);
    expect(await useOf(server.origin, 1)).toBe(0);
  });
});

/** How often the fault with this index was used. */
async function useOf(origin: string, place = 0): Promise<number | undefined> {
  const reply = await fetch(`${origin}/control`);
  const { faults }: { faults: { used: number }[] } = JSON.parse(await reply.text());
  return faults[place]?.used;
}

describe('requests at the same time', () => {
  test('use up exactly as many as were asked for', async () => {
    const { server, sandbox, emails } = await served(['POST /v1/emails 503 x2']);
    const headers = {
      Authorization: `Bearer ${sandbox.apiKey}`,
      'Content-Type': 'application/json',
    };
    const send = { method: 'POST', headers, body: JSON.stringify(email()) };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => fetch(`${server.url}/v1/emails`, send)),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(8).fill(200), 503, 503]);
    expect(await emails()).toBe(8);
  });
});

test('the request log has the fault, and that there was no response', async () => {
  const { request, sandbox } = withFaults(['POST * 503 x1', 'POST * drop x1', 'POST * drop-reply']);
  await request('POST', '/emails', { body: email() });
  await expect(request('POST', '/emails', { body: email() })).rejects.toThrow();
  await expect(request('POST', '/emails', { body: email() })).rejects.toThrow();
  const database = openDatabase(sandbox.path);
  onTestFinished(() => database.close());
  const rows = database.prepare('SELECT status, reply_headers FROM requests ORDER BY seq').all();
  const faultOf = (headers: unknown) =>
    new Headers(JSON.parse(String(headers))).get('X-Sandbox-Fault');
  expect(rows.map(({ status, reply_headers }) => [status, faultOf(reply_headers)])).toEqual([
    [503, 'POST * 503 x1'],
    [0, 'POST * drop x1'],
    [200, 'POST * drop-reply'],
  ]);
});

test('nothing outside the API fails', async () => {
  const { server } = await served(['* * drop']);
  expect((await fetch(server.origin)).status).toBe(200);
  expect((await fetch(`${server.origin}/control`)).status).toBe(200);
});

describe('the rate limit', () => {
  test('uses the real clock, as clients do', async () => {
    const { request, clock, sandbox } = withFaults([], { rateLimit: 1 });
    const store = createStore(openDatabase(sandbox.path));
    onTestFinished(() => store.close());
    store.write(() => setClockOffset(store, 30 * day));
    const { headers } = await request('GET', '/domains');
    expect(Number(headers.get('X-RateLimit-Reset'))).toBe(Math.ceil(clock.now / 1000) + 1);
    expect((await request('GET', '/domains')).status).toBe(429);
  });
});

describe('the published client', () => {
  const message = {
    to: 'ana@example.com',
    from: 'hello@example.com',
    subject: 'Hi',
    text: 'Hello',
  };

  test('gets the faults like every other client', async () => {
    const { server, sandbox, emails } = await served([
      'POST /v1/emails 429 x1',
      'POST /v1/emails blocked x1',
      'POST /v1/emails drop-reply x1',
    ]);
    const client = new UseSend(sandbox.apiKey, server.origin);
    const options = { idempotencyKey: 'order-1' };
    const limited = await client.emails.send(message, options);
    expect(limited).toMatchObject({ data: null, error: { error: { code: 'RATE_LIMITED' } } });
    const blocked = await client.emails.send(message, options);
    expect(blocked).toMatchObject({ data: null, error: { error: { code: 'FORBIDDEN' } } });
    await expect(client.emails.send(message, options)).rejects.toThrow('fetch failed');
    expect(await emails()).toBe(1);
    const sent = await client.emails.send(message, options);
    expect(sent).toMatchObject({ error: null, data: { emailId: expect.any(String) } });
    expect(await emails()).toBe(1);
  });
});
