import { randomUUID } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { mailboxParts } from '../../../api/address.ts';
import { bareAddress } from '../../../api/bare-address.ts';
import {
  claimDelivery,
  countDeliveries,
  type Delivery,
  dueDeliveries,
  endSmtpDelivery,
  isDeliverer,
} from '../../model/email/deliveries.ts';
import type { EmailColumns } from '../../model/email/emails.ts';
import { StorageFailure, sqliteCode } from '../../store/storage-failure.ts';
import type { Store } from '../../store/store.ts';
import { composeMime } from '../mime.ts';
import { ServerUnavailable, type SmtpReply } from './answers.ts';
import { openSmtpServer } from './recipient-server.ts';
import { recordAnswers, recordFailure, recordUnavailable, wasSent } from './record.ts';
import type { SmtpUrl } from './smtp-url.ts';

interface SmtpDeliveryOptions {
  readonly store: Store;
  /** The sandbox's clock: milliseconds since 1970. */
  readonly clock: () => number;
  readonly server: SmtpUrl;
  /** Gets problems, one line each. */
  readonly log: (line: string) => void;
  /** Gets recoveries from problems, one line each. */
  readonly say: (line: string) => void;
}

type SmtpServer = Awaited<ReturnType<typeof openSmtpServer>>;

/** The most messages that are sent, and held in memory, at once. */
const connections = 5;

/** How many deliveries are postponed together if the server is down. */
const batch = 500;

/** Time for mail that is being sent at Ctrl-C, in milliseconds. */
const grace = 400;

/** The least time between two log lines about lost connections, in milliseconds. */
const betweenLines = 60_000;

/** Sends mail to an SMTP server, in the process that serves the sandbox. */
export class SmtpDelivery {
  readonly #options: SmtpDeliveryOptions;
  readonly #server: SmtpServer;
  readonly #name: string;
  readonly #store: Store;
  readonly #self = randomUUID();
  readonly #underWay = new Map<string, Promise<void>>();
  /** Outcomes that could not be stored. This mail must not be sent again. */
  readonly #unrecorded = new Map<string, () => void>();
  /** Whether no connection is sending this email. */
  readonly #isFree = ({ emailId }: Delivery) =>
    !this.#underWay.has(emailId) && !this.#unrecorded.has(emailId);
  #unavailable = false;
  #unreadable = false;
  #lostAt = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #broken = false;

  /** Makes this process send mail to `server`, for all processes with the same data. */
  static async start(options: SmtpDeliveryOptions): Promise<SmtpDelivery> {
    return new SmtpDelivery(options, await openSmtpServer(options.server, connections));
  }

  private constructor(options: SmtpDeliveryOptions, server: SmtpServer) {
    this.#options = options;
    this.#server = server;
    this.#store = options.store;
    this.#name = options.server.name;
    this.#store.write(() => claimDelivery(this.#store, this.#self, options.clock()));
  }

  /** Logs if the server cannot be used. Never rejects. */
  async check(): Promise<void> {
    await this.#server.verify().catch((error: unknown) => {
      if (!this.#stopped) this.#sayUnavailable(messageOf(error));
    });
  }

  /** Starts sending due mail on free connections. Call it regularly. */
  work(): void {
    if (this.#stopped) return;
    if (!isDeliverer(this.#store, this.#self)) {
      this.#stopped = true;
      this.#options.log(
        `Another server was started on this data: this one no longer sends mail to ${this.#name}.`,
      );
      return;
    }
    for (const [emailId, record] of this.#unrecorded) {
      record();
      this.#unrecorded.delete(emailId);
    }
    const free = connections - this.#underWay.size;
    if (free === 0) return;
    const due = dueDeliveries(this.#store, this.#options.clock(), connections).filter(this.#isFree);
    for (const delivery of due.slice(0, free)) {
      this.#underWay.set(delivery.emailId, this.#handOver(delivery));
    }
  }

  /** Never rejects. */
  async #handOver(delivery: Delivery): Promise<void> {
    const { emailId } = delivery;
    const record = await this.#offer(delivery).catch((error: unknown) =>
      this.#recordingOf(delivery, error),
    );
    this.#underWay.delete(emailId);
    // If this process stopped, the next one sends the mail again. Unreadable mail stays due for the
    // next call: another attempt here would follow without a pause.
    if (this.#broken || record === undefined) return;
    try {
      record();
    } catch (error) {
      this.#unrecorded.set(emailId, record);
      this.#options.log(`The outcome of ${emailId} is not stored yet: ${messageOf(error)}`);
      return;
    }
    try {
      this.work();
    } catch {
      // The next call reports the failure.
    }
  }

  /** Sends a message to the server. Resolves to a function that records the responses. */
  async #offer(delivery: Delivery): Promise<() => void> {
    const { emailId, recipients } = delivery;
    const envelope = envelopeOf(this.#store, emailId);
    const message = await composeMime(this.#store, emailId);
    this.#unreadable = false;
    if (envelope === undefined || message === undefined) return () => {};
    const to = recipients.map((recipient) => envelope.to.get(recipient) ?? recipient);
    const started = performance.now();
    const given = await this.#server.send({ from: envelope.from, to, message });
    const took = Math.round(performance.now() - started);
    const answers = new Map<string, SmtpReply>();
    for (const [index, recipient] of recipients.entries()) {
      const answer = given.get(to[index] ?? '');
      if (answer !== undefined) answers.set(recipient, answer);
    }
    return () => {
      const lost = [...answers.values()].find((answer) => !wasSent(answer));
      if (lost === undefined) this.#sayAvailable();
      else this.#sayLost(lost.response);
      this.#store.write(() =>
        recordAnswers(this.#store, delivery, answers, { at: this.#options.clock(), took }),
      );
    };
  }

  /** Records that a message could not be sent; undefined if it is not about the message. */
  #recordingOf(delivery: Delivery, error: unknown): (() => void) | undefined {
    const message = messageOf(error);
    if (isStorageError(error)) {
      this.#sayUnreadable(delivery.emailId, message);
      return undefined;
    }
    if (error instanceof ServerUnavailable) {
      return () => {
        this.#sayUnavailable(message);
        this.#putOff(delivery, message);
      };
    }
    return () => {
      this.#options.log(`${delivery.emailId} cannot be sent to the SMTP server: ${message}`);
      this.#store.write(() =>
        recordFailure(this.#store, delivery, { error: message, at: this.#options.clock() }),
      );
    };
  }

  /** Postpones all due mail together. Otherwise, each email would wait for the server. */
  #putOff(first: Delivery, reason: string): void {
    this.#store.write(() => {
      const at = this.#options.clock();
      const others = dueDeliveries(this.#store, at, batch)
        .filter(this.#isFree)
        .filter(({ emailId }) => emailId !== first.emailId);
      for (const delivery of [first, ...others]) {
        recordUnavailable(this.#store, delivery, { reason, at });
      }
    });
  }

  /**
   * Stops, with a short grace period for mail that is being sent. From now on, delivery is simulated again.
   * Resolves to the number of emails that still wait.
   */
  async stop(): Promise<number> {
    this.#stopped = true;
    await settled(this.#underWay.values());
    this.#broken = true;
    this.#server.close();
    await settled(this.#underWay.values());
    return this.#store.write(() => {
      if (isDeliverer(this.#store, this.#self)) endSmtpDelivery(this.#store);
      return countDeliveries(this.#store);
    });
  }

  #sayUnavailable(reason: string): void {
    if (this.#unavailable) return;
    this.#unavailable = true;
    this.#options.log(
      `The SMTP server ${this.#name} cannot be used: ${reason}. Mail waits and will be retried.`,
    );
  }

  #sayAvailable(): void {
    if (this.#unavailable) this.#options.say(`The SMTP server ${this.#name} accepts mail again.`);
    this.#unavailable = false;
  }

  #sayUnreadable(emailId: string, reason: string): void {
    if (this.#unreadable) return;
    this.#unreadable = true;
    this.#options.log(`${emailId} cannot be read, so it waits: ${reason}`);
  }

  #sayLost(reason: string): void {
    // A reset may set the sandbox's clock back by years.
    const now = performance.now();
    if (now - this.#lostAt < betweenLines) return;
    this.#lostAt = now;
    this.#options.log(
      `The SMTP server ${this.#name} did not respond to a message, which will be retried: ${reason}`,
    );
  }
}

/** Resolves when all promises have, or after `grace`. */
async function settled(promises: Iterable<Promise<void>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, grace);
  });
  await Promise.race([Promise.all(promises), timeUp]);
  clearTimeout(timer);
}

function isStorageError(error: unknown): boolean {
  return error instanceof StorageFailure || sqliteCode(error) !== undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The envelope of an email, with all its recipients; undefined if there is no such email. */
function envelopeOf(store: Store, emailId: string) {
  const email = store.one<Pick<EmailColumns, 'sender' | 'recipients' | 'cc' | 'bcc'>>(
    'SELECT sender, recipients, cc, bcc FROM emails WHERE id = ?',
    emailId,
  );
  if (email === undefined) return undefined;
  const mailboxes = [email.recipients, email.cc, email.bcc].flat();
  return {
    from: written(email.sender),
    /** By the bare address in lower case, under which events are recorded. */
    to: new Map(mailboxes.map((mailbox) => [bareAddress(mailbox), written(mailbox)])),
  };
}

function written(mailbox: string): string {
  return mailboxParts(mailbox)?.address ?? bareAddress(mailbox);
}
