import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TransportError, type WireRequest } from '../../../../../src/lib/base/system/wire.ts';
import { openNetwork } from '../../../../../src/lib/service/http/network/transport.ts';

const tls = (name: string) =>
  readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');

/** The same service through Node's client and through undici, which the executable uses. */
function bothWays() {
  const ways = [{}, { bun: '1.3.0' }].map((node) =>
    openNetwork({ env: {}, platform: 'linux', node }),
  );
  onTestFinished(async () => {
    await Promise.all(ways.map((way) => way.close()));
  });
  return async (request: WireRequest, signal = () => new AbortController().signal) => {
    const [first, second] = await Promise.all(
      ways.map((way) => way.send(request, signal()).catch(told)),
    );
    expect(second).toEqual(first);
    return first;
  };
}

/** The parts of an error that the rest of the program reads. */
function told(error: unknown) {
  if (!(error instanceof TransportError)) return error;
  const { message, unsent, permanent, unreadable, hint } = error;
  return { message, unsent, permanent, unreadable, hint };
}

async function listening(server: Server, scheme = 'http'): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  // The address of a TCP server is always an AddressInfo.
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const get = (url: string): WireRequest => ({ method: 'GET', url: new URL(url), headers: {} });

test('requests and responses are the same in both ways', async () => {
  let respond: (response: ServerResponse) => void = () => {};
  const seen: unknown[] = [];
  const url = await listening(
    createServer(async (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { host, connection, ...headers } = request.headers;
      const body = Buffer.concat(chunks).toString('base64');
      seen.push({ method: request.method, path: request.url, headers, body });
      respond(response);
    }),
  );
  const send = bothWays();
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  const header = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
  const bytes = fc.uint8Array({ maxLength: 3000 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      fc.array(text),
      fc.option(fc.oneof(text, fc.uint8Array({ minLength: 1 })), { nil: undefined }),
      fc.dictionary(fc.stringMatching(/^x-[a-z]{1,8}$/), header),
      fc.constantFrom(200, 201, 204, 301, 400, 404, 429, 500, 503),
      fc.array(bytes),
      async (method, path, body, headers, status, chunks) => {
        respond = (response) => {
          response.writeHead(status, { ...headers, date: 'now' });
          for (const chunk of chunks) response.write(chunk);
          response.end();
        };
        seen.length = 0;
        const target = new URL(`${url}/${path.map(encodeURIComponent).join('/')}`);
        const given = method === 'GET' || body === undefined ? {} : { body };
        const reply = await send({ method, url: target, headers, ...given });
        expect(reply).toMatchObject({ status });
        expect(seen[1]).toEqual(seen[0]);
        expect(seen).toHaveLength(2);
      },
    ),
  );
});

describe('both ways report the same failure:', () => {
  test('nothing listens', async () => {
    const server = createTcpServer();
    const url = await listening(server);
    server.close();
    expect(await bothWays()(get(url))).toMatchObject({ unsent: true });
  });

  test.each<[what: string, answer: string]>([
    ['the connection ends without a response', ''],
    ['a response breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n123'],
    ['chunks break off', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n'],
  ])('%s', async (_, answer) => {
    const url = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end(answer));
      }),
    );
    const lost = `The connection to ${new URL(url).host} was lost.`;
    expect(await bothWays()(get(url))).toMatchObject({ message: lost, unsent: false });
  });

  test('the service switches to another protocol', async () => {
    const url = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        const headers = 'Connection: Upgrade\r\nUpgrade: websocket';
        socket.on('data', () => socket.write(`HTTP/1.1 101 Switching\r\n${headers}\r\n\r\n`));
      }),
    );
    const request: WireRequest = { ...get(url), method: 'POST', body: '{}' };
    expect(await bothWays()(request)).toMatchObject({ unsent: false });
  });

  test('the response exceeds the limit', async () => {
    const url = await listening(
      createServer((_, response) => response.end(Buffer.alloc(17 * 1024 * 1024))),
    );
    expect(await bothWays()(get(url))).toMatchObject({ unreadable: true, unsent: false });
  });

  test('the certificate is not trusted', async () => {
    const url = await listening(
      createSecureServer({ cert: tls('cert.pem'), key: tls('key.pem') }),
      'https',
    );
    expect(await bothWays()(get(url))).toMatchObject({ unsent: true, permanent: true });
  });

  test('there is no TLS', async () => {
    const url = await listening(createServer(), 'https');
    expect(await bothWays()(get(url))).toMatchObject({ unsent: true, permanent: true });
  });

  test.each(['before', 'in the middle of'])('it is aborted %s the response', async (when) => {
    const reason = new Error('called off');
    const controllers: AbortController[] = [];
    const url = await listening(
      createServer((_, response) => {
        if (when !== 'before') response.write('{');
        setImmediate(() => controllers.pop()?.abort(reason));
      }),
    );
    const signal = () => {
      const controller = new AbortController();
      controllers.push(controller);
      return controller.signal;
    };
    expect(await bothWays()(get(url), signal)).toBe(reason);
  });
});

describe('a response that comes before the request has been read', () => {
  const early = 'HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\n{}';
  // More than a socket buffers.
  const body = 'a'.repeat(7 * 1024 * 1024);

  test.for([
    ['keeps the connection open until the time limit', (_, end) => end()],
    ['closes the connection', (socket) => socket.destroy()],
    ['resets the connection', (socket) => socket.resetAndDestroy()],
  ] satisfies [string, (socket: Socket, end: () => void) => unknown][])(
    'is kept when the service %s',
    async ([, then]) => {
      const limit = new AbortController();
      const end = async () => {
        // Until the response has been read.
        for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
        limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      };
      const server = createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => {
          socket.pause();
          socket.write(early, () => void then(socket, () => void end()));
        });
      });
      const url = new URL(await listening(server));
      const way = openNetwork({ env: {}, platform: 'linux', node: {} });
      onTestFinished(() => way.close());
      const headers = { 'content-type': 'application/json' };
      const reply = await way.send({ method: 'POST', url, headers, body }, limit.signal);
      expect(reply).toMatchObject({ status: 413, body: '{}' });
    },
  );
});

describe('a service that closes each connection after its response without announcing it', () => {
  test.each([1, 8])('gets each request once, %i at a time', async (together) => {
    const wanted = 200;
    const received: string[] = [];
    const response = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
    const url = new URL(
      await listening(
        createTcpServer((socket) => {
          socket.on('error', () => {});
          let text = '';
          socket.on('data', (chunk) => {
            text += chunk.toString();
            const [, body] = /\r\n\r\n(#\d+\.)/.exec(text) ?? [];
            if (body === undefined) return;
            received.push(body);
            socket.end(response);
          });
        }),
      ),
    );
    const way = openNetwork({ env: {}, platform: 'linux', node: {} });
    onTestFinished(() => way.close());
    let next = 0;
    const send = async () => {
      while (next < wanted) {
        const request: WireRequest = { method: 'POST', url, headers: {}, body: `#${next++}.` };
        await way.send(request, new AbortController().signal);
      }
    };
    await Promise.all(Array.from({ length: together }, send));
    expect(new Set(received).size).toBe(wanted);
    expect(received).toHaveLength(wanted);
  });
});
