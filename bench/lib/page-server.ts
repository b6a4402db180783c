import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local service that generates lists of emails, and single emails, on request. */
export interface PageServer {
  /** Base URL of an account with this many emails. */
  baseUrl(emails: number): string;
  close(): void;
}

/** Its emails are about 1 kB each, like short notifications. */
export async function startPageServer(): Promise<PageServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const [, , id] = /\/v1\/emails\/(cm3k9x2f800000(\d+))$/.exec(url.pathname) ?? [];
    if (id !== undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(`${row(Number(id)).slice(0, -1)},${history}}`);
      return;
    }
    const count = Number(url.pathname.split('/')[1]);
    const limit = Number(url.searchParams.get('limit'));
    const start = (Number(url.searchParams.get('page')) - 1) * limit;
    const rows: string[] = [];
    for (let index = start; index < Math.min(start + limit, count); index++) rows.push(row(index));
    response.setHeader('content-type', 'application/json');
    response.end(`{"data":[${rows.join(',')}],"count":${count}}`);
  });
  // A pause of the machine must not cost a client its connection: a loop without retries would fail, and
  // a program with retries would look slow.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (emails) => `http://127.0.0.1:${port}/${emails}/api`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const newest = Date.parse('2026-01-10T10:00:00Z');

const history =
  '"emailEvents":[{"status":"SENT","createdAt":"2026-01-10T10:00:01.000Z","data":{}},{"status":"DELIVERED","createdAt":"2026-01-10T10:00:02.000Z","data":{"smtpResponse":"250 ok"}}]';

const [before = '', between = '', middle = '', after = ''] = JSON.stringify({
  id: '#',
  to: ['ana@example.org'],
  replyTo: [],
  cc: [],
  bcc: [],
  from: 'Example Shop <orders@example.com>',
  subject: 'Your order # has been shipped, and will be with you on Thursday',
  html: `<p>Hello Ana,</p>${'<p>a line of your order</p>'.repeat(15)}`,
  text: `Hello Ana,\n${'a line of your order\n'.repeat(10)}`,
  createdAt: '#',
  updatedAt: '2026-01-10T10:00:00.000Z',
  scheduledAt: null,
  domainId: 1,
  latestStatus: 'DELIVERED',
}).split('#');

function row(index: number): string {
  return `${before}cm3k9x2f800000${index.toString().padStart(11, '0')}${between}${index}${middle}${createdAt(index)}${after}`;
}

/** Each email is a second older than the one before it. */
function createdAt(index: number): string {
  return new Date(newest - index * 1000).toISOString();
}
