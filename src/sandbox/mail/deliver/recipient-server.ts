import type MimeNode from 'nodemailer/lib/mime-node';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import { answersOf, answersOfError, type SmtpReply, unavailable } from './answers.ts';
import type { SmtpUrl } from './smtp-url.ts';

/** A message and its envelope; addresses are bare. */
interface Handover {
  readonly from: string;
  readonly to: readonly string[];
  readonly message: Buffer;
}

/** Timeouts in milliseconds; short because somebody is waiting. */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
  // Otherwise, a server that does not close its side keeps this process alive.
  socketCloseTimeout: 0,
};

/** An SMTP server, with a few reused connections. Connects only when it is first used. */
export async function openSmtpServer(
  { url, loopback, requireTls, hideLogin }: SmtpUrl,
  connections: number,
) {
  const [{ createTransport }, { default: Pool }, { default: Connection }, { default: Node }] =
    await Promise.all([
      import('nodemailer'),
      import('nodemailer/lib/smtp-pool'),
      import('nodemailer/lib/smtp-connection'),
      import('nodemailer/lib/mime-node'),
    ]);
  const pool = new Pool({
    ...timeouts,
    // Loopback cannot be intercepted, and its certificates are rarely valid.
    ...(loopback ? { tls: { rejectUnauthorized: false } } : {}),
    // Otherwise an intermediary could hide STARTTLS and read the password.
    requireTLS: requireTls,
    maxConnections: connections,
    // Only for unsent messages, such as on a connection that the server had closed.
    maxRequeues: 1,
    // Its parameters override the above.
    url,
  });
  const transporter = createTransport(pool);
  const checks = new Set<SMTPConnection>();
  return {
    /** Connects and logs in, or rejects with the reason. */
    async verify(): Promise<void> {
      // nodemailer's own check cannot be stopped.
      const connection = new Connection(pool.options);
      checks.add(connection);
      try {
        await logIn(connection, pool.options.auth);
        connection.quit();
      } catch (error) {
        connection.close();
        throw error instanceof Error ? unavailable(error, hideLogin) : error;
      } finally {
        checks.delete(connection);
      }
    },
    /** Resolves to the responses by address in `to`. Rejects with `ServerUnavailable`. */
    async send({ from, to, message }: Handover): Promise<Map<string, SmtpReply>> {
      const sender = inEnvelope(new Node(), from);
      const recipients = new Map(to.map((address) => [address, inEnvelope(new Node(), address)]));
      const named = [...recipients.values()].filter((name) => name !== undefined);
      const answers =
        sender === undefined || named.length === 0
          ? new Map<string, SmtpReply>()
          : await transporter
              .sendMail({
                envelope: { from: mailbox(sender), to: named.map(mailbox) },
                raw: message,
              })
              .then(
                (info) => answersOf(info, named, hideLogin),
                (error: unknown) => answersOfError(error, named, hideLogin),
              );
      return new Map(
        to.map((address) => [address, answers.get(recipients.get(address) ?? '') ?? unusable]),
      );
    },
    /** Closes all connections, even while messages are being sent. */
    close(): void {
      for (const connection of checks) connection.close();
      pool.close({ force: true });
    },
  };
}

/** Connects, and logs in if there is a user and the server supports it. */
async function logIn(connection: SMTPConnection, auth: SMTPPoolOptions['auth']): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve());
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('Connection closed')));
    connection.connect((error) => {
      if (error || auth === undefined || !connection.allowsAuth) done(error);
      else connection.login(auth, done);
    });
  });
}

const unusable: SmtpReply = {
  kind: 'refused',
  response: '553 5.1.3 The address of the sender or the recipient cannot be used over SMTP',
};

/** An address in nodemailer's spelling; undefined for one that it does not send. */
function inEnvelope(node: MimeNode, address: string): string | undefined {
  if (/[\p{Cc}<>]/u.test(address)) return undefined;
  return node.setEnvelope({ to: [mailbox(address)] }).getEnvelope().to[0];
}

function mailbox(address: string) {
  return { name: '', address };
}
