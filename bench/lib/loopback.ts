import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';

/** Both services, ours and the nearest competitor's, as far as the benches ask them. */
export interface Loopback {
  /** Of our service. */
  readonly baseUrl: string;
  /** Of the other one. */
  readonly resendUrl: string;
  close(): void;
}

/** The email that is to be sent; the server takes no other. */
export const email = {
  from: 'hello@example.com',
  to: 'ana@example.org',
  subject: 'Your order has been shipped',
  text: 'It will be with you on Thursday.',
};

/** What the server calls it. */
export const emailId = 'cm3k9x2f80000000000000000';

const names = ['one.example.com', 'two.example.com', 'three.example.com'];
/** What a list of the domains has to show, if it is one. */
export const lastDomain = 'three.example.com';

/** Answers at once, always the same: three domains, or the id of the email it was sent. */
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

/** A verified domain, with the three DNS records that it takes. */
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

/** The same as the other service has it, in whose lists there are no records. */
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
  // Whatever it is, it is compared as a whole.
  const sent = JSON.parse(body) as Record<string, unknown>;
  return isDeepStrictEqual({ ...sent, to: [sent.to].flat() }, { ...email, to: [email.to] });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
