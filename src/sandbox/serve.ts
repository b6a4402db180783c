import { isIP } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

/** Bytes of a request's body that are read at most. A batch with attachments fits. */
export const maxBodyBytes = 32 * 1024 * 1024;

export interface ServeOptions {
  readonly fetch: (request: Request) => Promise<Response>;
  /** The address to listen on; `127.0.0.1` when absent. */
  readonly host?: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Names under which others reach it, in lower case and without port. */
  readonly allowedHosts?: readonly string[];
}

export interface Served {
  /** Where the front page is, such as `http://127.0.0.1:4100`. */
  readonly origin: string;
  /** The base URL of the API: the origin followed by `/api`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends what connections there are. */
  close(): Promise<void>;
}

/**
 * Serves `fetch` over HTTP. Requests whose Host header names neither this machine, the bound host
 * nor an allowed one are refused with 403, since a web page could have sent them (DNS rebinding),
 * and bodies of more than `maxBodyBytes` with 413. Rejects with Node's error, `code` being `EADDRINUSE` when
 * the port is taken.
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const { fetch, host = '127.0.0.1', port, allowedHosts = [] } = options;
  async function answer(request: Request): Promise<Response> {
    if (!isAllowedHost(request.headers.get('Host'), host, allowedHosts)) {
      return new Response('403 Forbidden: unknown Host', { status: 403 });
    }
    const body = await readBody(request);
    if (body === undefined) return new Response('413 Payload Too Large', { status: 413 });
    const { method, headers } = request;
    return fetch(new Request(request.url, { method, headers, body }));
  }

  // The adaptor would else put its own Request and Response in place of the global ones.
  const server = createAdaptorServer({ fetch: answer, overrideGlobalObjects: false });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  const origin = `http://${reachableHost(host)}:${boundPort}`;
  return {
    origin,
    url: `${origin}/api`,
    port: boundPort,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** The whole body, null for none, or undefined for one that is too large. */
async function readBody(request: Request): Promise<Buffer | null | undefined> {
  if (request.body === null || request.method === 'GET' || request.method === 'HEAD') return null;
  if (Number(request.headers.get('Content-Length')) > maxBodyBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);
const wildcards = new Set(['0.0.0.0', '::']);

/** Where a client on this machine finds a server that listens on `host`. */
function reachableHost(host: string): string {
  if (wildcards.has(host)) return host === '::' ? '[::1]' : '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

function isAllowedHost(
  header: string | null,
  boundHost: string,
  allowed: readonly string[],
): boolean {
  const name = hostName(header);
  if (name === undefined) return false;
  if (allowed.includes(name)) return true;
  const bare = name.replace(/^\[|\]$/g, '');
  if (loopbackNames.has(name) || bare === boundHost.toLowerCase()) return true;
  // Who listens on every address is reached by other addresses; a rebound name is never one.
  return wildcards.has(boundHost) && isIP(bare) !== 0;
}

function hostName(header: string | null): string | undefined {
  const url = header === null ? null : URL.parse(`http://${header}`);
  return url?.hostname;
}
