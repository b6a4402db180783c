import { once } from 'node:events';
import { createServer } from 'node:http';
import { isIP } from 'node:net';
import type { Writable } from 'node:stream';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { ConnectionLost } from './connection-lost.ts';
import { isWildcard, refusalOf } from './web-page-guard.ts';

/** The most bytes of a request's body: enough for a batch with attachments. */
export const maxBodyBytes = 32 * 1024 * 1024;

type Bindings = HttpBindings | Http2Bindings;

/** A request that was rejected before `fetch`. */
export interface Refused {
  readonly request: Request;
  readonly response: Response;
  /** Bytes of its body, if known. */
  readonly body: number;
  /** Whether it may be from another site; see `refusalOf`. */
  readonly turnedAway: boolean;
}

export interface ServeOptions {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Called for each rejected request, before the response. */
  readonly refused?: (refused: Refused) => Promise<void>;
  /** The address to listen on; `127.0.0.1` by default. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Other host names of it, in lower case and without port. */
  readonly allowedHosts?: readonly string[];
  /** Timeouts for clients in milliseconds; `usualTimes` by default. */
  readonly times?: typeof usualTimes;
}

/**
 * Slower requests get 408. Idle connections are kept longer than clients keep them; otherwise a
 * client could send a request while its connection is being closed.
 */
const usualTimes = {
  /** For a request's headers. */
  headers: 20_000,
  /** For a whole request. */
  request: 120_000,
  /** Between two requests on one connection. */
  idle: 75_000,
};

/**
 * Serves `fetch` over HTTP. Requests for other host names and from other sites are rejected with
 * 403 (see `refusalOf`), bodies of more than `maxBodyBytes` with 413. Rejects with Node's error,
 * whose `code` is `EADDRINUSE` if the port is in use.
 */
export async function serve(options: ServeOptions) {
  const { fetch, host = '127.0.0.1', port, allowedHosts = [], times = usualTimes } = options;
  const { refused = async () => {} } = options;
  /** Requests that are being processed, even if their client has disconnected. */
  const open = new Set<Promise<Response>>();

  async function answer(request: Request, { outgoing }: Bindings): Promise<Response> {
    const refusal = refusalOf(request, [host, ...allowedHosts]);
    if (refusal !== undefined) {
      const response = new Response(`403 Forbidden: ${refusal}`, { status: 403 });
      await refused({ request, response, body: declaredLength(request), turnedAway: true });
      return response;
    }
    const body = await readBody(request);
    if (typeof body === 'number') {
      const response = tooLarge();
      await refused({ request, response, body, turnedAway: false });
      return response;
    }
    const { method, headers, signal } = request;
    const answered = fetch(new Request(request.url, { method, headers, body, signal }));
    open.add(answered);
    try {
      return await answered;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      await loseConnection(error, outgoing);
      const { RESPONSE_ALREADY_SENT } = await import('@hono/node-server/utils/response');
      return RESPONSE_ALREADY_SENT;
    } finally {
      open.delete(answered);
    }
  }

  const server = createServer({
    headersTimeout: times.headers,
    requestTimeout: times.request,
    keepAliveTimeout: times.idle,
    connectionsCheckingInterval: Math.min(times.headers, 5000),
  });
  let listening: ReturnType<typeof listener> | undefined;
  server.on('request', async (incoming, outgoing) => {
    listening ??= listener(answer);
    await (await listening)(incoming, outgoing);
  });
  server.listen(port, host);
  await once(server, 'listening');

  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  const origin = `http://${reachableHost(host)}:${boundPort}`;
  return {
    /** The URL of the inbox, such as `http://127.0.0.1:4100`. */
    origin,
    /** The base URL of the API. */
    url: `${origin}/api`,
    port: boundPort,
    /** Stops listening, closes all connections, and waits for their requests. */
    async close() {
      await new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      });
      await Promise.allSettled(open);
    },
  };
}

/** Loads the adaptor late, because that and Node's `Request` take a sixth of the start of a sandbox. */
async function listener(answer: (request: Request, bindings: Bindings) => Promise<Response>) {
  const { getRequestListener } = await import('@hono/node-server');
  // Otherwise the adaptor would replace the global Request and Response.
  return getRequestListener(answer, { overrideGlobalObjects: false });
}

function tooLarge(): Response {
  const most = maxBodyBytes / 1024 / 1024;
  return new Response(`413 Payload Too Large: a body has ${most} MiB at most`, { status: 413 });
}

function declaredLength({ headers }: Request): number {
  return Number(headers.get('Content-Length') ?? 0);
}

/** The whole body, or null; if it is too large, its length as far as known. */
async function readBody(request: Request): Promise<Buffer | null | number> {
  if (request.body === null || request.method === 'GET' || request.method === 'HEAD') return null;
  const declared = declaredLength(request);
  if (declared > maxBodyBytes) return declared;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > maxBodyBytes) return size;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The host name of a server that listens on `host`, for clients on this machine. */
function reachableHost(host: string): string {
  if (isWildcard(host)) return host === '::' ? '[::1]' : '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** A response of Node's HTTP server before anything was sent. */
interface Outgoing extends Writable {
  statusCode: number;
  setHeader(name: string, value: string | number): unknown;
}

/** Closes the connection of `outgoing`, after the given part of its response. */
async function loseConnection({ cutReply }: ConnectionLost, outgoing: Outgoing): Promise<void> {
  if (cutReply !== undefined) {
    const body = Buffer.from(await cutReply.arrayBuffer());
    outgoing.statusCode = cutReply.status;
    for (const [name, value] of cutReply.headers) outgoing.setHeader(name, value);
    outgoing.setHeader('Content-Length', body.length);
    const half = body.subarray(0, Math.floor(body.length / 2));
    await new Promise((resolve) => outgoing.write(half, resolve));
  }
  outgoing.destroy();
}
