import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as sendRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { asksForStanding } from './recorder.ts';

/** A request on its way to the service, and what can happen to it. */
export interface Passing {
  readonly method: string;
  /** Passes it on, and returns the service's whole response. */
  forward(): Promise<Answered>;
  answer(answered: Answered): Promise<void>;
  /** Cuts the connection; after the first `bytes` of a response, if one is given. */
  cut(answered?: Answered, bytes?: number): void;
  /** Resolves when the client has closed the connection. */
  readonly gone: Promise<void>;
}

export interface Answered {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders | IncomingHttpHeaders;
  readonly body: string | Buffer;
}

/**
 * A proxy for the service at a URL that does what a test wants with each request. Returns its URL. Ignores
 * requests that their sender never finished, and those that only ask for the service's time or data.
 */
export async function startProxy(
  service: string,
  treat: (passing: Passing) => Promise<void>,
): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const gone = new Promise<void>((resolve) => outgoing.once('close', resolve));
    const body = await read(incoming).catch(() => undefined);
    if (body === undefined) return;
    const cut = (answered?: Answered, bytes = 0) => {
      if (answered === undefined) {
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(answered.status, answered.headers);
      outgoing.write(answered.body.slice(0, bytes), () => incoming.socket.destroy());
    };
    const passing: Passing = {
      method: incoming.method ?? '',
      forward: () => forward(service, incoming, body),
      answer: ({ status, headers, body }) =>
        new Promise((done) => outgoing.writeHead(status, headers).end(body, () => done())),
      cut,
      gone,
    };
    await (isQuestion(incoming) ? pass(passing) : treat(passing)).catch(() =>
      incoming.socket.destroy(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port, so there is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function isQuestion({ method, url }: IncomingMessage): boolean {
  return method === 'HEAD' || url === '/control' || asksForStanding(url);
}

async function pass({ forward, answer }: Passing): Promise<void> {
  await answer(await forward());
}

function forward(service: string, incoming: IncomingMessage, body: Buffer): Promise<Answered> {
  const { method, url = '', headers } = incoming;
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest(service + url, { method, headers }, (reply) => {
      read(reply).then(
        (body) => resolve({ status: reply.statusCode ?? 502, headers: reply.headers, body }),
        reject,
      );
    });
    outgoing.on('error', reject).end(body);
  });
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
