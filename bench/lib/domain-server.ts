import { once } from 'node:events';
import { createServer } from 'node:http';

export interface DomainServer {
  readonly baseUrl: string;
  close(): void;
}

/** Answers every request with the same three domains, at once. */
export async function startDomainServer(): Promise<DomainServer> {
  const body = JSON.stringify(
    ['one', 'two', 'three'].map((name, index) => domain(name, index + 1)),
  );
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/api`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A verified domain, with the three DNS records that it takes. */
function domain(name: string, id: number) {
  const record = { type: 'TXT', ttl: 'Auto', priority: null, status: 'SUCCESS' };
  return {
    id,
    name: `${name}.example.com`,
    teamId: 1,
    status: 'SUCCESS',
    region: 'us-east-1',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    dnsRecords: ['mail', 'key._domainkey', '_dmarc'].map((label) => ({
      ...record,
      name: `${label}.${name}`,
      value: `v=${label}`,
      recommended: label === '_dmarc',
    })),
  };
}
