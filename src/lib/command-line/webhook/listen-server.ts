import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { UsageError } from '../../base/errors.ts';
import { longestCall } from './kept-calls.ts';

/** A call as it came. */
export interface ReceivedCall {
  readonly headers: [name: string, value: string][];
  readonly body: Uint8Array;
}

/** What to respond with. */
export interface ListenerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

interface ReceiveOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Gets why a call was rejected before it was taken, a sentence each. */
  readonly warn: (sentence: string) => void;
}

/**
 * Receives calls until `close`. Anything but POST gets 405, a body of more than 1 MiB 413. Throws a `UsageError` if
 * the port cannot be had.
 */
export async function receiveCalls(
  { host, port, warn }: ReceiveOptions,
  take: (call: ReceivedCall) => Promise<ListenerResponse>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    answer(request, take, warn)
      .then((reply) => send(response, reply))
      // Also for a response of a handler that cannot be passed on.
      .catch(() => send(response, { status: 500, body: '500 Internal Server Error' }));
  });
  await once(server.listen(port, host), 'listening').catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const hint = '--port 0 takes any free port.';
    throw new UsageError(`Cannot listen on ${host}:${port}: ${why}`, { hint, cause });
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  take: (call: ReceivedCall) => Promise<ListenerResponse>,
  warn: (sentence: string) => void,
): Promise<ListenerResponse> {
  if (request.method !== 'POST') {
    return { status: 405, headers: { allow: 'POST' }, body: '405 Method Not Allowed' };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.byteLength;
    if (size > longestCall) {
      warn('A call of more than 1 MiB was rejected with 413.');
      return { status: 413, body: '413 Payload Too Large: at most 1 MiB' };
    }
    chunks.push(bytes);
  }
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    headers.push([request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? '']);
  }
  return await take({ headers, body: Buffer.concat(chunks) });
}

/** Headers about the connection or the coding of a body, which are made anew (RFC 9110, 7.6.1). */
const ownHeaders =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|content-length|content-encoding|host|expect)$/i;

/** Headers without those that belong to one connection; one that came twice is joined (RFC 9110, 5.3). */
export function endToEnd(headers: Iterable<readonly string[]>): Record<string, string> {
  const kept = new Map<string, string>();
  for (const [name = '', value = ''] of headers) {
    const key = name.toLowerCase();
    const earlier = kept.get(key);
    if (!ownHeaders.test(key))
      kept.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(kept);
}

function send(response: ServerResponse, { status, headers = {}, body }: ListenerResponse): void {
  const all = { 'content-type': 'text/plain; charset=utf-8', ...endToEnd(Object.entries(headers)) };
  response.writeHead(status, all).end(body);
}
