import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

/** Fakes of both services, ours and the nearest competitor's, with the responses that the benches need. */
export interface Loopback {
  /** Base URL of our service. */
  readonly baseUrl: string;
  /** Base URL of the competitor's. */
  readonly resendUrl: string;
  close(): void;
}

/** The only email that the server accepts. */
export const email = {
  from: 'hello@example.com',
  to: 'ana@example.org',
  subject: 'Your order has been shipped',
  text: 'It will be with you on Thursday.',
};

/** Its id. */
export const emailId = 'cm3k9x2f80000000000000000';

const names = ['one.example.com', 'two.example.com', 'three.example.com'];
/** A correct list of domains contains this one. */
export const lastDomain = 'three.example.com';

/** Responds at once, always with the same: three domains, or the id of the email. */
export async function startLoopback(): Promise<Loopback> {
  const replies: Readonly<Record<string, string>> = {
    'GET /api/v1/domains': JSON.stringify(names.map(domain)),
    'GET /domains': JSON.stringify({
      object: 'list',
      has_more: false,
      data: names.map(resendDomain),
    }),
    'POST /api/v1/emails': JSON.stringify({ emailId }),
    'POST /emails': JSON.stringify({ id: emailId }),
  };
  const server = createServer(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const reply = replies[`${request.method} ${path}`];
    const isGood = request.method === 'GET' || isTheEmail(await textOf(request));
    response.setHeader('content-type', 'application/json');
    response.statusCode = reply === undefined ? 404 : isGood ? 200 : 400;
    response.end(response.statusCode === 200 ? reply : '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const resendUrl = `http://127.0.0.1:${address.port}`;
  return {
    baseUrl: `${resendUrl}/api`,
    resendUrl,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A verified domain, with its three DNS records. */
function domain(name: string, index: number) {
  const record = { type: 'TXT', ttl: 'Auto', priority: null, status: 'SUCCESS' };
  return {
    id: index + 1,
    name,
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

/** The same for the competitor's service, whose lists have no records. */
function resendDomain(name: string, index: number) {
  return {
    id: `d91cd9bd-1176-453e-8fc1-35364d38020${index}`,
    name,
    status: 'verified',
    created_at: '2026-01-01 00:00:00.000000+00',
    region: 'us-east-1',
    capabilities: { sending: 'enabled', receiving: 'disabled' },
  };
}

function isTheEmail(body: string): boolean {
  // Compared as a whole, whatever it is.
  const sent = JSON.parse(body) as Record<string, unknown>;
  return isDeepStrictEqual({ ...sent, to: [sent.to].flat() }, { ...email, to: [email.to] });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
