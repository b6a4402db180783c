import type { AddressInfo } from 'node:net';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';
import { receivedProblem } from '../../model/addresses.ts';
import { keyOf, sandboxApiKey, testAccountOf } from '../../model/api-account.ts';
import { parseMessage, type ReceivedEmail, type SmtpMessage } from './parse-message.ts';
import { acceptQuotedAddresses } from './quoted-addresses.ts';
import type { SmtpCommand, SmtpFailure } from './smtp-commands.ts';
import { spool } from './spool.ts';

export interface ReceiveOptions {
  /** The address to listen on. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** For STARTTLS, in PEM; undefined if it is not offered. */
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
  /**
   * Stores an email of the account with this key, and returns its id. An error it throws is reported as
   * temporary: the client may retry.
   */
  readonly store: (email: ReceivedEmail, key: string) => Promise<string>;
  /** How a command is to fail, in the account with this key. Without it, none does. */
  readonly failure?: (command: SmtpCommand, key: string) => Promise<SmtpFailure | undefined>;
  /** How long open connections may last after closing, in milliseconds; 300 by default. */
  readonly grace?: number;
}

acceptQuotedAddresses();

/** The most bytes of a message, as for a request to the API. */
export const maxMessageBytes = 32 * 1024 * 1024;

/** RFC 5321, section 4.5.3.1.8, requires 100. */
const maxRecipients = 1000;

/** Each client may hold a message in memory. */
const maxClients = 100;

/** In milliseconds; RFC 5321, section 4.5.3.2.7. */
const idle = 5 * 60_000;

/**
 * Receives mail over SMTP. Every login is accepted, and none is needed; the key of a test account, as user name or
 * password, selects that account. STARTTLS is offered with `tls` only: many programs use it whenever
 * it is offered, and reject the certificate. A message is stored once it is fully received, before it is acknowledged. Rejects with Node's error, whose `code` is
 * `EADDRINUSE` if the port is in use.
 */
export async function receiveMail(options: ReceiveOptions) {
  const { host, port, tls, store, failure = async () => undefined, grace = 300 } = options;
  /** Fully received messages that are being read or stored. */
  const open = new Set<Promise<string>>();

  async function accept(
    stream: SMTPServerDataStream,
    {
      sender,
      to,
      session,
    }: { sender: string; to: SMTPServerAddress[]; session: SMTPServerSession },
  ) {
    const key = keyIn(session);
    const recipients = to.map(({ address }) => address);
    const message = await spool(bytesOf(stream));
    // Not in the turn of the message, which a delay would hold.
    const failed = await failure('DATA', key);
    const isRefused = failed !== undefined && failed.kind !== 'drop-reply';
    const stored = message.use(async (source) => {
      return isRefused ? '' : await readAndStore({ sender, recipients, source }, key);
    });
    open.add(stored);
    try {
      const id = await stored;
      if (failed !== undefined) throw fail(failed, session);
      return id;
    } finally {
      open.delete(stored);
    }
  }

  /** Closes the connection, or returns the error to respond with. */
  function fail(failed: SmtpFailure, session: SMTPServerSession): Error {
    if (failed.kind === 'reply') return refusal(failed.code, failed.text);
    for (const connection of server.connections) {
      if (connection.session === session) connection._socket.destroy();
    }
    return refusal(421, '4.4.2 The connection is closed');
  }

  /** Goes on unless a command is to fail. */
  function unlessFailing(
    command: SmtpCommand,
    session: SMTPServerSession,
    proceed: () => Error | null,
    callback: (error?: Error | null) => void,
  ): void {
    failure(command, keyIn(session)).then(
      (failed) => callback(failed === undefined ? proceed() : fail(failed, session)),
      (error: unknown) => callback(refusal(451, `4.3.0 ${messageOf(error)}`)),
    );
  }

  async function readAndStore(message: SmtpMessage, key: string): Promise<string> {
    const email = await parseMessage(message).catch((error: unknown) => {
      throw refusal(554, `5.6.0 The message cannot be read: ${messageOf(error)}`);
    });
    try {
      return await store(email, key);
    } catch (error) {
      throw refusal(451, `4.3.0 ${messageOf(error)}`);
    }
  }

  const server = new SMTPServer({
    name: 'localhost',
    banner: 'sandbox of an email delivery service',
    ...(tls ?? { disabledCommands: ['STARTTLS'] }),
    size: maxMessageBytes,
    rejectOversized: true,
    maxRecipients,
    maxClients,
    socketTimeout: idle,
    closeTimeout: grace,
    authOptional: true,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'CRAM-MD5', 'XOAUTH2'],
    disableReverseLookup: true,
    // `addressRefusal` checks addresses.
    lenientAddressParsing: true,
    logger: false,
    onConnect: (session, callback) => unlessFailing('CONNECT', session, () => null, callback),
    onAuth(login, session, callback) {
      const user = keyOfLogin(login);
      // Otherwise mail of a misspelt key would be that of another account.
      const proceed = () => (user === undefined ? refusal(535, '5.7.8 Invalid API token') : null);
      unlessFailing('AUTH', session, proceed, (error) =>
        error ? callback(error) : callback(null, { user }),
      );
    },
    // Deferred by the look for faults, because the package loses what follows a second message in the same packet.
    onMailFrom({ address }, session, callback) {
      const proceed = () => (address === '' ? null : addressRefusal(address, '5.1.7'));
      unlessFailing(
        'MAIL',
        session,
        () => null,
        (error) => setImmediate(callback, error ?? proceed()),
      );
    },
    onRcptTo: ({ address }, session, callback) =>
      unlessFailing('RCPT', session, () => addressRefusal(address, '5.1.3'), callback),
    onData(stream, session, callback) {
      const { mailFrom, rcptTo } = session.envelope;
      const sender = mailFrom === false ? '' : mailFrom.address;
      accept(stream, { sender, to: rcptTo, session }).then(
        (id) => callback(null, `OK: queued as ${id}`),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // The remaining errors are connections that clients broke off.
  server.on('error', () => {});
  return {
    // The server listens on a port, not on a pipe.
    port: (server.server.address() as AddressInfo).port,
    /** Stops listening, ends all connections, and waits for fully received messages. */
    async close() {
      await new Promise<void>((resolve) => server.close(resolve));
      await Promise.allSettled(open);
    },
  };
}

/** The key of the account of a session. */
function keyIn({ user }: SMTPServerSession): string {
  return typeof user === 'string' ? user : sandboxApiKey;
}

/** The key of the account that a login selects; undefined for the key of a test account with an invalid name. */
function keyOfLogin({ username, password }: SMTPServerAuthentication): string | undefined {
  const key = [username, password].find((text) => text?.startsWith(keyOf('')));
  if (!key) return sandboxApiKey;
  return testAccountOf(key) === undefined ? undefined : key;
}

/** The bytes of a message. Throws once it is too large; the package then leaves out the rest. */
async function* bytesOf(stream: SMTPServerDataStream): AsyncGenerator<Buffer> {
  // The stream has no encoding, so it yields bytes.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (!stream.sizeExceeded) yield chunk;
  }
  if (stream.sizeExceeded) throw refusal(552, '5.3.4 The message is too large');
}

function addressRefusal(address: string, code: string): Error | null {
  // What the package reads for bytes that are not UTF-8. The address would be that of another.
  const problem = address.includes('\ufffd')
    ? 'The address is not UTF-8'
    : receivedProblem(address);
  return problem === undefined ? null : refusal(553, `${code} ${problem}`);
}

/** An error that the server responds with this code. */
function refusal(responseCode: number, message: string): Error {
  const line = message.replace(/[\r\n]+/g, ' ');
  return Object.assign(new Error(line), { responseCode });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
