import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response that a local service gives to each request of an account. */
export interface Body {
  readonly text: string;
  readonly status?: number;
}

/** A local service with large responses, by the name of the account. */
export async function startBodyServer(bodies: ReadonlyMap<string, Body>) {
  const server = createServer((request, response) => {
    const [, name = ''] = (request.url ?? '').split('/');
    const { text = '', status = 200 } = bodies.get(name) ?? {};
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (name: string) => `http://127.0.0.1:${port}/${name}/api`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
