import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A message as the server received it. */
export interface Received {
  readonly from: string;
  /** In the order of RCPT TO. */
  readonly to: readonly string[];
  /** The bytes, without dot stuffing, as text with one character per byte. */
  readonly source: string;
}

export interface Catcher {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
  readonly connections: () => number;
  /** Ends all connections without a response. */
  drop(): void;
  close(): Promise<void>;
}

export interface CatcherOptions extends SMTPServerOptions {
  readonly port?: number;
  /** The response to a recipient: an error with `responseCode`, or null. */
  readonly onRecipient?: (address: string) => Error | null;
  /** The response to a complete message; `drop` ends all connections. */
  readonly onMessage?: (message: Received) => Reply | Promise<Reply>;
  /** Called at the first bytes of a message; `drop` ends all connections. */
  readonly onFirstBytes?: () => 'drop' | undefined;
}

type Reply = Error | null | 'drop';

/** An error that makes the server respond with this code. */
export function answer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** A real SMTP server on loopback, by default without TLS and logins. */
export async function startCatcher(options: CatcherOptions = {}): Promise<Catcher> {
  const { port = 0, onRecipient = () => null, onMessage = () => null, ...rest } = options;
  const { onFirstBytes = () => undefined, ...others } = rest;
  const sockets = new Set<Socket>();
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, callback) => callback(onRecipient(address)),
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('data', () => {
        if (onFirstBytes() === 'drop') drop();
      });
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = envelope;
        const message = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString('latin1'),
        };
        const reply = await onMessage(message);
        if (reply === 'drop') {
          drop();
          return;
        }
        if (reply === null) received.push(message);
        callback(reply);
      });
    },
    ...others,
  });
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Tests break off connections.
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  // It listens on a port, so there is an AddressInfo.
  const { port: bound } = server.server.address() as AddressInfo;
  return {
    port: bound,
    url: `smtp://127.0.0.1:${bound}`,
    received,
    connections: () => sockets.size,
    drop,
    close,
  };
}
