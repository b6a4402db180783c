import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service on this machine that only counts what it is sent. */
export interface CountServer {
  /** Base URL of an account; what goes to it is counted under the name. */
  baseUrl(name: string): string;
  /** What has arrived under a name since the last time it was asked. */
  taken(name: string): Taken;
  /** Called with the first bytes of every request. */
  onRequest: (name: string) => void;
  close(): void;
}

export interface Taken {
  readonly requests: number;
  readonly bytes: number;
}

/** Every batch must be of this size; it is answered with as many ids. */
export const perRequest = 100;

const emailId = (index: number) => `cm3k9x2f800000000${index.toString().padStart(8, '0')}`;
const batchReply = JSON.stringify({
  data: Array.from({ length: perRequest }, (_, index) => ({ emailId: emailId(index) })),
});
const sendReply = JSON.stringify({ emailId: emailId(0) });

export async function startCountServer(): Promise<CountServer> {
  const counts = new Map<string, { requests: number; bytes: number }>();
  const server = createServer((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('/');
    shown.onRequest(name);
    const count = counts.get(name) ?? { requests: 0, bytes: 0 };
    counts.set(name, count);
    count.requests++;
    request.on('data', (chunk: Uint8Array) => {
      count.bytes += chunk.byteLength;
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(rest.at(-1) === 'batch' ? batchReply : sendReply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const shown: CountServer = {
    baseUrl: (name) => `http://127.0.0.1:${port}/${name}`,
    taken(name) {
      const count = counts.get(name) ?? { requests: 0, bytes: 0 };
      counts.delete(name);
      return count;
    },
    onRequest: () => {},
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return shown;
}
