import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A contact as the service has it. */
export interface StoredContact {
  readonly id: string;
  readonly email: string;
  firstName: string | null;
  lastName: string | null;
  subscribed: boolean;
  unsubscribeReason: string | null;
  properties: Record<string, string>;
}

/** A contact as it is sent. */
export interface SentContact {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly subscribed?: boolean;
  readonly properties?: Record<string, string>;
}

interface ServiceOptions {
  readonly doubleOptIn?: boolean;
  readonly variables?: readonly string[];
  /** Queued contacts stored before each list request. */
  readonly perRead?: number;
  /** Queued contacts stored per millisecond; if absent, only list requests advance the queue. */
  readonly perMillisecond?: number;
}

type Treat = (request: {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}) => Treatment | Promise<Treatment>;
/** What happens to a request: a response, a lost response, or this response. */
export type Treatment =
  | 'answered'
  | 'answer lost'
  | 'never arrived'
  | { readonly status: number; readonly body: unknown };

/**
 * A service with one contact book, `book_1` or "Customers". It works like live servers: bulk requests are
 * queued, lists have at most 5,000 contacts, and with double opt-in, new and pending contacts get an email.
 */
export async function startContactService({
  doubleOptIn = false,
  variables = [],
  perRead = Number.POSITIVE_INFINITY,
  perMillisecond = 0,
}: ServiceOptions = {}) {
  const contacts = new Map<string, StoredContact>();
  let made = 0;
  const queue: SentContact[] = [];
  /** Emails that asked for a confirmation, by address. */
  const confirmations = new Map<string, number>();
  const requests: { method: string; path: string; body: string }[] = [];
  const state = {
    treat: (() => 'answered') as Treat,
    /** Addresses that the queue drops, as if it failed for them. */
    dropped: new Set<string>(),
    /** Whether the queue is stuck. */
    stuck: false,
    book: {
      id: 'book_1',
      name: 'Customers',
      variables: [...variables],
      doubleOptInEnabled: doubleOptIn,
    },
  };
  const mail = (email: string) => confirmations.set(email, (confirmations.get(email) ?? 0) + 1);
  const store = (sent: SentContact): StoredContact => {
    const known = contacts.get(sent.email);
    const mustConfirm = state.book.doubleOptInEnabled && sent.subscribed !== false;
    if (known === undefined) {
      const contact: StoredContact = {
        id: `ct_${++made}`,
        email: sent.email,
        firstName: sent.firstName ?? null,
        lastName: sent.lastName ?? null,
        subscribed: sent.subscribed !== false && !mustConfirm,
        unsubscribeReason: sent.subscribed === false ? 'UNSUBSCRIBED' : null,
        properties: { ...sent.properties },
      };
      contacts.set(sent.email, contact);
      if (mustConfirm) mail(sent.email);
      return contact;
    }
    const isPending = !known.subscribed && known.unsubscribeReason === null;
    if (mustConfirm && isPending) mail(sent.email);
    change(known, { ...sent, ...(sent.subscribed === true ? { subscribed: undefined } : {}) });
    return known;
  };
  const change = (
    contact: StoredContact,
    fields: Partial<Omit<SentContact, 'subscribed'>> & { subscribed?: boolean | undefined },
  ) => {
    contact.firstName = fields.firstName ?? contact.firstName;
    contact.lastName = fields.lastName ?? contact.lastName;
    Object.assign(contact.properties, fields.properties);
    if (fields.subscribed === undefined) return;
    contact.subscribed = fields.subscribed;
    contact.unsubscribeReason = fields.subscribed ? null : 'UNSUBSCRIBED';
  };
  const moveOn = (most: number) => {
    if (state.stuck) return;
    for (const one of queue.splice(0, most)) if (!state.dropped.has(one.email)) store(one);
  };
  let moved = Date.now();
  const timed = () => {
    const now = Date.now();
    moveOn(Math.floor((now - moved) * perMillisecond));
    moved = now;
  };
  const shownBook = () => ({ ...state.book, _count: { contacts: contacts.size } });
  const answer = (method: string, path: string, body: string): [number, unknown] => {
    const url = new URL(path, 'http://localhost');
    const [, , , resource, id, part, contactId] = url.pathname.split('/');
    if (perMillisecond > 0) timed();
    if (resource === 'domains') return [200, []];
    if (resource !== 'contactBooks') return [404, { error: { code: 'NOT_FOUND', message: 'no' } }];
    if (id === undefined) return [200, [shownBook()]];
    if (id !== state.book.id) return [404, { error: { code: 'NOT_FOUND', message: 'no book' } }];
    if (part === undefined) {
      if (method === 'PATCH') Object.assign(state.book, JSON.parse(body));
      return [200, shownBook()];
    }
    if (contactId === 'bulk') {
      const sent: SentContact[] = JSON.parse(body);
      if (sent.length > 1000) return [400, { error: { code: 'BAD_REQUEST', message: 'too many' } }];
      queue.push(...sent);
      return [200, { message: `Queued ${sent.length}`, count: sent.length }];
    }
    if (contactId !== undefined) {
      const contact = [...contacts.values()].find((one) => one.id === contactId);
      if (contact === undefined) return [404, { error: { code: 'NOT_FOUND', message: 'no' } }];
      if (method === 'DELETE') return [200, { success: contacts.delete(contact.email) }];
      change(contact, JSON.parse(body));
      return [200, { contactId }];
    }
    if (perMillisecond === 0) moveOn(perRead);
    const emails = url.searchParams.get('emails')?.split(',');
    const found =
      emails === undefined
        ? [...contacts.values()].slice(0, 5000)
        : emails.flatMap((email) => contacts.get(email) ?? []);
    return [200, found.map((one) => ({ ...one, contactBookId: id }))];
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = await read(incoming).catch(() => undefined);
    const { method = '', url: path = '' } = incoming;
    if (body === undefined) return;
    if (method === 'HEAD') return void outgoing.end();
    const treatment = await state.treat({ method, path, body });
    if (treatment === 'never arrived') return void incoming.socket.destroy();
    requests.push({ method, path, body });
    if (typeof treatment === 'object') return reply(outgoing, treatment.status, treatment.body);
    const [status, value] = answer(method, path, body);
    if (treatment === 'answer lost') return void incoming.socket.destroy();
    reply(outgoing, status, value);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port, so there is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const base = { firstName: null, lastName: null, unsubscribeReason: null, properties: {} };
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    state,
    contacts,
    queue,
    confirmations,
    requests,
    /** Method and path of each request, without the book's path, in order. */
    seen: () =>
      requests.map(
        ({ method, path }) => `${method} ${path.replace(/^\/api\/v1\/contactBooks/, '')}`,
      ),
    /** The contacts of each bulk request. */
    posted: () =>
      requests
        .filter(({ method, path }) => method === 'POST' && path.endsWith('/bulk'))
        .map(({ body }): SentContact[] => JSON.parse(body)),
    /** Puts a contact into the book. */
    add(email: string, fields: Partial<StoredContact> = {}): void {
      const id = `ct_${++made}`;
      const own = { ...base, properties: {}, subscribed: true };
      contacts.set(email, { ...own, id, email, ...fields });
    },
    /** Processes the whole queue. */
    drain: () => moveOn(Number.POSITIVE_INFINITY),
  };
}

export type ContactService = Awaited<ReturnType<typeof startContactService>>;

function reply(outgoing: ServerResponse, status: number, body: unknown): void {
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  outgoing.writeHead(status, { 'content-type': type });
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
