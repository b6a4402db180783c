import type MimeNode from 'nodemailer/lib/mime-node';
import { type Answer, answersOf, answersOfError } from './answers.ts';
import type { SmtpUrl } from './url.ts';

/** A message and whom it is for; addresses are bare. */
export interface Handover {
  readonly from: string;
  readonly to: readonly string[];
  readonly message: Buffer;
}

/** An SMTP server that mail is handed to, over a few connections that are kept. */
export interface SmtpServer {
  /** Connects and logs in. Rejects with the reason when that fails. */
  verify(): Promise<void>;
  /** Offers a message; the answers are by the addresses in `to`. Rejects with `ServerUnavailable`. */
  send(handover: Handover): Promise<Map<string, Answer>>;
  /** Closes all connections, also those that a message is going over. */
  close(): void;
}

/** Milliseconds: someone is waiting for this at a desk. The last is for the answer to a message. */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
};

/** Opens the way to a server. Nothing is connected before it is used. */
export async function openSmtpServer(
  { url, loopback }: SmtpUrl,
  connections: number,
): Promise<SmtpServer> {
  const [{ createTransport }, { default: SMTPPool }, { default: Node }] = await Promise.all([
    import('nodemailer'),
    import('nodemailer/lib/smtp-pool'),
    import('nodemailer/lib/mime-node'),
  ]);
  const pool = new SMTPPool({
    ...timeouts,
    // On the way to oneself nobody listens, and certificates there are rarely in order.
    ...(loopback ? { tls: { rejectUnauthorized: false } } : {}),
    maxConnections: connections,
    // Only for what has not been sent at all, as over a connection that the server had closed.
    maxRequeues: 1,
    // Its parameters win over the above.
    url,
  });
  const transporter = createTransport(pool);
  return {
    async verify() {
      await transporter.verify();
    },
    async send({ from, to, message }) {
      const sender = inEnvelope(new Node(), from);
      const recipients = new Map(to.map((address) => [address, inEnvelope(new Node(), address)]));
      const named = [...recipients.values()].filter((name) => name !== undefined);
      const answers =
        sender === undefined || named.length === 0
          ? new Map<string, Answer>()
          : await transporter
              .sendMail({
                envelope: { from: mailbox(sender), to: named.map(mailbox) },
                raw: message,
              })
              .then(
                (info) => answersOf(info, named),
                (error: unknown) => answersOfError(error, named),
              );
      return new Map(
        to.map((address) => [address, answers.get(recipients.get(address) ?? '') ?? unusable]),
      );
    },
    close: () => pool.close({ force: true }),
  };
}

const unusable: Answer = {
  kind: 'refused',
  response:
    '553 5.1.3 The address of the sender or the recipient cannot be given to an SMTP server',
};

/** An address in nodemailer's spelling; undefined for one that it gives to no server. */
function inEnvelope(node: MimeNode, address: string): string | undefined {
  if (/[\p{Cc}<>]/u.test(address)) return undefined;
  return node.setEnvelope({ to: [mailbox(address)] }).getEnvelope().to[0];
}

function mailbox(address: string) {
  return { name: '', address };
}
