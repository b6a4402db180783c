import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { maxBodyBytes, type ServeOptions, serve } from '../../../src/sandbox/http/serve.ts';
import { email, startSandbox } from '../harness.ts';

async function served(options: Partial<ServeOptions> = {}) {
  const { sandbox } = startSandbox();
  const server = await serve({ fetch: sandbox.fetch, port: 0, ...options });
  onTestFinished(() => server.close());
  const headers = { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' };
  return { server, headers };
}

interface Asked {
  method?: string;
  path?: string;
  headers: Record<string, string>;
}

/** The status of a request with headers that `fetch` does not allow. */
function statusFor(port: number, asked: Asked): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, ...asked }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    request.on('error', reject).end();
  });
}

/** Opens a connection and writes this text. */
async function connected(port: number, text = '') {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

describe('the service over HTTP', () => {
  test('is the same as in process', async () => {
    const { server, headers } = await served();
    expect(server.origin).toBe(`http://127.0.0.1:${server.port}`);
    expect(server.url).toBe(`${server.origin}/api`);
    const sent = await fetch(`${server.url}/v1/emails`, {
      method: 'POST',
      headers,
      body: JSON.stringify(email()),
    });
    expect(sent.status).toBe(200);
    const list = await fetch(`${server.url}/v1/emails`, { headers });
    expect(await list.json()).toMatchObject({ count: 3 });
    expect((await fetch(server.origin)).status).toBe(200);
  });

  test('accepts many requests at once', async () => {
    const { server, headers } = await served();
    const body = JSON.stringify(email());
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        fetch(`${server.url}/v1/emails`, { method: 'POST', headers, body }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const ids = await Promise.all(replies.map((reply) => reply.text()));
    expect(new Set(ids).size).toBe(50);
  });

  test('does not change the global Request and Response', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await served();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });
});

describe('a body', () => {
  test('up to the limit is read', async () => {
    const { server, headers } = await served();
    const content = 'a'.repeat(8 * 1024 * 1024);
    const body = JSON.stringify(email({ attachments: [{ filename: 'a', content }] }));
    const reply = await fetch(`${server.url}/v1/emails`, { method: 'POST', headers, body });
    expect(reply.status).toBe(200);
  });

  test('beyond it is rejected with 413', async () => {
    const { server, headers } = await served();
    const body = Buffer.alloc(maxBodyBytes + 1, 'a');
    const reply = await fetch(`${server.url}/v1/emails`, { method: 'POST', headers, body });
    expect(reply.status).toBe(413);
    expect(await reply.text()).toContain('32 MiB');
  });
});

test('a body of no declared length is limited too', async () => {
  const { server, headers } = await served();
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (sent++ > maxBodyBytes / chunk.length) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const request = { method: 'POST', headers, body, duplex: 'half' } as const;
  const reply = await fetch(`${server.url}/v1/emails`, request);
  expect(reply.status).toBe(413);
});

describe('the Host header', () => {
  test.each([
    ['localhost', 200],
    ['LOCALHOST:1', 200],
    ['127.0.0.1', 200],
    ['[::1]:8', 200],
    ['evil.test', 403],
    ['localhost.evil.test', 403],
    ['192.0.2.7', 403],
    ['a b', 400],
    ['shop.localhost', 200],
    ['host.docker.internal:4100', 200],
    ['internal.evil.test', 403],
    ['mailer', 403],
  ])('%s gives %d', async (host, status) => {
    const { server } = await served();
    expect(await statusFor(server.port, { headers: { Host: host } })).toBe(status);
  });

  test('that is rejected gets a response with the fix', async () => {
    const { server } = await served();
    const reply = await new Promise<string>((resolve, reject) => {
      const headers = { Host: 'mail.test:4100' };
      httpRequest({ host: '127.0.0.1', port: server.port, headers }, (answer) => {
        answer.setEncoding('utf8').once('data', resolve);
      })
        .on('error', reject)
        .end();
    });
    expect(reply).toMatch(/^403 Forbidden: mail\.test is not .*--allow-host mail\.test$/);
  });

  test('may be another address when bound to all of them, but no other name', async () => {
    const { server } = await served({ host: '0.0.0.0' });
    const status = (host: string) => statusFor(server.port, { headers: { Host: host } });
    expect(await status('192.0.2.7')).toBe(200);
    expect(await status('mailer:4100')).toBe(200);
    expect(await status('evil.test')).toBe(403);
  });
});

describe('starting and stopping', () => {
  test('rejects if the port is in use, with the reason', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => taken.close(() => resolve())));
    // The address of a TCP server is always an AddressInfo.
    const { port } = taken.address() as AddressInfo;
    const { sandbox } = startSandbox();
    await expect(serve({ fetch: sandbox.fetch, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port,
    });
  });

  test('close ends open connections and frees the port', async () => {
    const { sandbox } = startSandbox();
    const first = await serve({ fetch: sandbox.fetch, port: 0 });
    await fetch(first.origin);
    await first.close();
    await expect(fetch(first.origin)).rejects.toThrow();
    const second = await serve({ fetch: sandbox.fetch, port: first.port });
    expect(second.port).toBe(first.port);
    await second.close();
  });
});

test('on every address it has a URL for this machine', async () => {
  const { server } = await served({ host: '0.0.0.0' });
  expect(server.origin).toBe(`http://127.0.0.1:${server.port}`);
});

describe('what a browser sends', () => {
  const self = 'http://localhost:1';

  test.each<[string, number, Record<string, string>]>([
    ['of its own pages', 404, { Origin: self }],
    ['of its own pages, newer', 404, { Origin: self, 'Sec-Fetch-Site': 'same-origin' }],
    ['of its own pages without referrer', 404, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
    ['of another site', 403, { Origin: 'http://evil.test' }],
    ['of another site, newer', 403, { Origin: 'http://evil.test', 'Sec-Fetch-Site': 'cross-site' }],
    ['of another port', 403, { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site' }],
    ['of another scheme', 403, { Origin: 'https://localhost:1' }],
    ['of another of its names', 403, { Origin: 'http://127.0.0.1:1' }],
    ['of a page from nowhere', 403, { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['of a page from nowhere, older', 403, { Origin: 'null' }],
    ['without Origin, of another site', 403, { 'Sec-Fetch-Site': 'cross-site' }],
    ['without Origin, of another port', 403, { 'Sec-Fetch-Site': 'same-site' }],
    ['by name of the attacker', 403, { Host: 'evil.test:1', Origin: 'http://evil.test:1' }],
  ])('%s gets %d', async (_, status, headers) => {
    const { server } = await served();
    const asked = { method: 'POST', headers: { Host: 'localhost:1', ...headers } };
    const path = '/unsubscribe/nothing';
    expect(await statusFor(server.port, { ...asked, path })).toBe(status);
    // Here, a request that is allowed gets a 400, because it has no JSON: a page's form cannot send any.
    const control = await statusFor(server.port, { ...asked, path: '/control/advance' });
    expect(control).toBe(status === 403 ? 403 : 400);
  });

  test('that follows a link gets a response, wherever the link is', async () => {
    const { server } = await served();
    for (const site of ['none', 'cross-site', 'same-site', 'same-origin']) {
      const followed = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' };
      for (const headers of [followed, { ...followed, 'Sec-Fetch-Dest': 'document' }]) {
        expect({ site, status: await statusFor(server.port, { headers }) }).toEqual({
          site,
          status: 200,
        });
      }
    }
  });

  test.each([
    ['an image', 'cross-site', 'no-cors', 'image'],
    ['a script', 'same-site', 'no-cors', 'script'],
    ['something that is read', 'cross-site', 'cors', 'empty'],
    ['a frame', 'cross-site', 'navigate', 'iframe'],
    ['an object', 'same-site', 'navigate', 'object'],
    ['a socket', 'cross-site', 'websocket', 'websocket'],
  ])('for %s on a page of another site (%s) is rejected', async (_, site, mode, destination) => {
    const { server } = await served();
    const headers = {
      'Sec-Fetch-Site': site,
      'Sec-Fetch-Mode': mode,
      'Sec-Fetch-Dest': destination,
    };
    for (const path of ['/?q=secret', '/unsubscribe/nothing', '/control', '/api/v1/domains']) {
      for (const method of ['GET', 'HEAD']) {
        expect(await statusFor(server.port, { method, path, headers })).toBe(403);
      }
    }
  });

  test("is accepted if it is a mail provider's one click, which has no Origin", async () => {
    const { server } = await served();
    const reply = await fetch(`${server.origin}/unsubscribe/nothing`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(reply.status).toBe(404);
  });
});

describe('a client that is', () => {
  const times = { headers: 40, request: 80, idle: 1000 };

  test.each([
    ['slow with its headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: a'],
    [
      'slow with its body',
      'POST /api/v1/emails HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
    ],
    [
      'slow with its chunks',
      'POST /api/v1/emails HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
    ],
  ])('%s is ended', async (_, text) => {
    const { server } = await served({ times });
    const socket = await connected(server.port, text);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    await once(socket, 'close');
    expect(heard).toMatch(/^HTTP\/1\.1 408 /);
    expect((await fetch(server.origin)).status).toBe(200);
  });

  test('that is silent does not block others, a hundred times', async () => {
    const { server } = await served();
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        connected(server.port, index % 2 === 0 ? '' : 'POST / HTTP/1.1\r\nHost: local'),
      ),
    );
    expect((await fetch(server.origin)).status).toBe(200);
  });

  test('with too long headers is rejected with 431', async () => {
    const { server } = await served();
    const headers = { 'X-A': 'a'.repeat(64 * 1024) };
    expect(await statusFor(server.port, { headers })).toBe(431);
  });

  test('disconnected in the middle of a body leaves nothing behind', async () => {
    const { server, headers } = await served();
    const socket = await connected(
      server.port,
      `POST /api/v1/emails HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.Authorization}\r\nContent-Length: 99\r\n\r\n{`,
    );
    socket.destroy();
    const list = await fetch(`${server.url}/v1/emails`, { headers });
    expect(await list.json()).toMatchObject({ count: 2 });
  });

  test('still sending gets the 413', async () => {
    const { server } = await served();
    const size = 120 * 1024 * 1024;
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      method: 'POST',
      path: '/api/v1/emails',
      headers: { 'Content-Length': size },
    });
    const closed = new Promise<void>((resolve) => {
      request.on('close', resolve);
    });
    // The server may disconnect during the upload.
    request.on('error', () => {});
    let status: number | undefined;
    request.on('response', (reply) => {
      status = reply.statusCode;
      reply.resume();
    });
    for (let sent = 0; sent < size && !request.destroyed; sent += chunk.length) {
      if (request.write(chunk)) continue;
      const drained = new Promise((resolve) => request.once('drain', resolve));
      await Promise.race([drained, closed]);
    }
    request.end();
    await closed;
    expect(status).toBe(413);
  });
});
