import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local service with one empty contact book, which stores contacts at once. */
export interface ContactServer {
  /** Base URL of an account. */
  readonly baseUrl: string;
  /** The number of contacts in the book. */
  contacts(): number;
  /** The same, and empties it. */
  emptied(): number;
  close(): void;
}

export const bookId = 'book_bench';

export async function startContactServer(): Promise<ContactServer> {
  /** JSON of the contacts, by address. */
  const contacts = new Map<string, string>();
  const book = () =>
    JSON.stringify({
      id: bookId,
      name: 'Bench',
      doubleOptInEnabled: false,
      _count: { contacts: contacts.size },
    });
  const server = createServer(async (request, response) => {
    const body = await read(request);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') {
      const sent: readonly { email: string }[] = JSON.parse(body);
      for (const one of sent) {
        const id = `ct_${contacts.size}`;
        contacts.set(one.email, JSON.stringify({ id, subscribed: true, ...one }));
      }
      response.end(JSON.stringify({ message: 'queued', count: sent.length }));
      return;
    }
    if (!pathname.endsWith('/contacts')) {
      response.end(pathname.endsWith('/contactBooks') ? `[${book()}]` : book());
      return;
    }
    const emails = searchParams.get('emails')?.split(',') ?? [];
    response.end(`[${emails.flatMap((email) => contacts.get(email) ?? []).join()}]`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    contacts: () => contacts.size,
    emptied() {
      const { size } = contacts;
      contacts.clear();
      return size;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
