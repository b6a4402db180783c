import { request as httpRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { maxBodyBytes, serve } from '../../src/sandbox/serve.ts';
import { email, startSandbox } from './harness.ts';

async function served(options: { host?: string } = {}) {
  const { sandbox } = startSandbox();
  const server = await serve({ fetch: sandbox.fetch, port: 0, ...options });
  onTestFinished(() => server.close());
  const headers = { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' };
  return { server, headers };
}

/** The status of a request with this Host header, which `fetch` does not let one set. */
function statusFor(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, headers: { Host: host } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    request.on('error', reject).end();
  });
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

  test('takes many requests at once', async () => {
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

  test('leaves the global Request and Response alone', async () => {
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

  test('beyond it is refused with 413', async () => {
    const { server, headers } = await served();
    const body = Buffer.alloc(maxBodyBytes + 1, 'a');
    const reply = await fetch(`${server.url}/v1/emails`, { method: 'POST', headers, body });
    expect(reply.status).toBe(413);
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
  ])('%s gives %d', async (host, status) => {
    const { server } = await served();
    expect(await statusFor(server.port, host)).toBe(status);
  });

  test('may be another address when bound to all of them, but no other name', async () => {
    const { server } = await served({ host: '0.0.0.0' });
    expect(await statusFor(server.port, '192.0.2.7')).toBe(200);
    expect(await statusFor(server.port, 'evil.test')).toBe(403);
  });
});

describe('starting and stopping', () => {
  test('rejects when the port is taken, and says so', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => taken.close(() => resolve())));
    // It listens on a port, not on a pipe.
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

test('on every address it says where this machine finds it', async () => {
  const { server } = await served({ host: '0.0.0.0' });
  expect(server.origin).toBe(`http://127.0.0.1:${server.port}`);
});
