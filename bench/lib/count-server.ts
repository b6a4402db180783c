import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRateLimit, rateLimitHeaders } from '../../src/sandbox/http/rate-limit.ts';

/** A local service that only counts requests. */
export interface CountServer {
  /** Base URL of an account; requests to it are counted under the name. */
  baseUrl(name: string): string;
  /** What has arrived under a name since the last call. */
  taken(name: string): Taken;
  /** Resolves when this many more requests have arrived, for any account. */
  arrivals(requests: number): Promise<void>;
  close(): void;
}

export interface Taken {
  /** Accepted requests with a body: the program also asks for the time, without one. */
  readonly requests: number;
  /** Total size of their bodies. */
  readonly bytes: number;
  /** Requests that got status 429. */
  readonly refused: number;
  /** From the first request to the last, in milliseconds. */
  readonly during: number;
}

export interface CountServerOptions {
  /** Requests accepted per second, counted as the sandbox does; unlimited if absent. */
  readonly perSecond?: number;
}

/** Every batch must have this size; the response has as many ids. */
export const perRequest = 100;

const emailId = (index: number) => `cm3k9x2f800000000${index.toString().padStart(8, '0')}`;
const batchReply = JSON.stringify({
  data: Array.from({ length: perRequest }, (_, index) => ({ emailId: emailId(index) })),
});
const sendReply = JSON.stringify({ emailId: emailId(0) });

export async function startCountServer({
  perSecond,
}: CountServerOptions = {}): Promise<CountServer> {
  const counts = new Map<
    string,
    { requests: number; bytes: number; refused: number; times: number[] }
  >();
  const none = () => ({ requests: 0, bytes: 0, refused: 0, times: [] });
  const limit = createRateLimit(perSecond);
  let awaited = { left: 0, arrived: () => {} };
  const server = createServer((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('/');
    const count = counts.get(name) ?? none();
    counts.set(name, count);
    count.times.push(Date.now());
    const asks = request.method !== 'POST';
    if (!asks) awaited.left--;
    if (!asks && awaited.left === 0) awaited.arrived();
    const state = limit(Date.now());
    if (state.exceeded) count.refused++;
    else if (!asks) count.requests++;
    request.on('data', (chunk: Uint8Array) => {
      if (!state.exceeded) count.bytes += chunk.byteLength;
    });
    request.on('end', () => {
      const headers = perSecond === undefined ? {} : rateLimitHeaders(state);
      response.writeHead(state.exceeded ? 429 : 200, {
        'content-type': 'application/json',
        ...headers,
      });
      response.end(rest.at(-1) === 'batch' ? batchReply : sendReply);
    });
  });
  // A pause of the machine must not cost a client its connection: a loop without retries would fail, and
  // a program with retries would look slow.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (name) => `http://127.0.0.1:${port}/${name}`,
    taken(name) {
      const { times, ...count } = counts.get(name) ?? none();
      counts.delete(name);
      return { ...count, during: (times.at(-1) ?? 0) - (times[0] ?? 0) };
    },
    arrivals: (requests) =>
      new Promise((arrived) => {
        awaited = { left: requests, arrived };
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
