import type { AddressInfo } from 'node:net';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
} from 'smtp-server';
import { receivedProblem } from '../../model/addresses.ts';
import { keyOf, sandboxApiKey, testAccountOf } from '../../model/api-account.ts';
import { parseMessage, type ReceivedEmail, type SmtpMessage } from './parse-message.ts';
import { acceptQuotedAddresses } from './quoted-addresses.ts';

export interface ReceiveOptions {
  /** The address to listen on. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** For STARTTLS, in PEM. */
  readonly tls: { readonly key: string; readonly cert: string };
  /**
   * Stores an email of the account with this key, and returns its id. An error it throws is reported as
   * temporary: the client may retry.
   */
  readonly store: (email: ReceivedEmail, key: string) => Promise<string>;
  /** How long open connections may last after closing, in milliseconds; 300 by default. */
  readonly grace?: number;
}

/** The server that takes mail over SMTP. */
export interface MailReceiver {
  readonly port: number;
  /** Stops listening, ends all connections, and waits for fully received messages. */
  close(): Promise<void>;
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
 * password, selects that account. STARTTLS is offered. A message is
 * stored once it is fully received, before it is acknowledged. Rejects with Node's error, whose `code` is
 * `EADDRINUSE` if the port is in use.
 */
export async function receiveMail(options: ReceiveOptions): Promise<MailReceiver> {
  const { host, port, tls, store, grace = 300 } = options;
  /** Fully received messages that are being read or stored. */
  const open = new Set<Promise<string>>();

  async function accept(
    stream: SMTPServerDataStream,
    { sender, to, key }: { sender: string; to: SMTPServerAddress[]; key: string },
  ) {
    const source = await readAll(stream);
    const recipients = to.map(({ address }) => address);
    const stored = readAndStore({ sender, recipients, source }, key);
    open.add(stored);
    try {
      return await stored;
    } finally {
      open.delete(stored);
    }
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
    ...tls,
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
    onAuth(login, _session, callback) {
      const user = keyIn(login);
      // Otherwise mail of a misspelt key would be that of another account.
      if (user === undefined) callback(refusal(535, '5.7.8 Invalid API token'));
      else callback(null, { user });
    },
    // Deferred, because the package loses what follows a second message in the same packet.
    onMailFrom: ({ address }, _session, callback) =>
      setImmediate(callback, address === '' ? null : addressRefusal(address, '5.1.7')),
    onRcptTo: ({ address }, _session, callback) => callback(addressRefusal(address, '5.1.3')),
    onData(stream, { envelope: { mailFrom, rcptTo }, user: key = sandboxApiKey }, callback) {
      const sender = mailFrom === false ? '' : mailFrom.address;
      accept(stream, { sender, to: rcptTo, key }).then(
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
    async close() {
      await new Promise<void>((resolve) => server.close(resolve));
      await Promise.allSettled(open);
    },
  };
}

/** The key of the account that a login selects; undefined for the key of a test account with an invalid name. */
function keyIn({ username, password }: SMTPServerAuthentication): string | undefined {
  const key = [username, password].find((text) => text?.startsWith(keyOf('')));
  if (!key) return sandboxApiKey;
  return testAccountOf(key) === undefined ? undefined : key;
}

/** The whole message, or its beginning if it is too large. Rejects if the client breaks it off. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // The stream has no encoding, so it yields bytes.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (!stream.sizeExceeded) chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw refusal(552, '5.3.4 The message is too large');
  return Buffer.concat(chunks);
}

function addressRefusal(address: string, code: string): Error | null {
  const problem = receivedProblem(address);
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
