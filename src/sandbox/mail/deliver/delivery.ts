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

/** The most messages that are sent, and held in memory, at once. */
const connections = 5;

/** How many deliveries are postponed together if the server is down. */
const batch = 500;

/** Time for mail that is being sent at Ctrl-C, in milliseconds. */
const grace = 400;

/** The least time between two log lines about lost connections, in milliseconds. */
const betweenLines = 60_000;

export type SmtpDelivery = Awaited<ReturnType<typeof startSmtpDelivery>>;

/** Makes this process send mail to an SMTP server, for all processes with the same data. */
export async function startSmtpDelivery({ store, clock, server, log, say }: SmtpDeliveryOptions) {
  const { name } = server;
  const smtp = await openSmtpServer(server, connections);
  const self = randomUUID();
  const underWay = new Map<string, Promise<void>>();
  /** Outcomes that could not be stored. This mail must not be sent again. */
  const unrecorded = new Map<string, () => void>();
  let isUnavailable = false;
  let isUnreadable = false;
  let lostAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let isBroken = false;
  store.write(() => claimDelivery(store, self, clock()));

  /** Whether no connection is sending this email. */
  function isFree({ emailId }: Delivery): boolean {
    return !underWay.has(emailId) && !unrecorded.has(emailId);
  }

  function work(): void {
    if (isStopped) return;
    if (!isDeliverer(store, self)) {
      isStopped = true;
      log(`Another server was started on this data: this one no longer sends mail to ${name}.`);
      return;
    }
    for (const [emailId, record] of unrecorded) {
      record();
      unrecorded.delete(emailId);
    }
    const free = connections - underWay.size;
    if (free === 0) return;
    const due = dueDeliveries(store, clock(), connections).filter(isFree);
    for (const delivery of due.slice(0, free)) {
      underWay.set(delivery.emailId, handOver(delivery));
    }
  }

  /** Never rejects. */
  async function handOver(delivery: Delivery): Promise<void> {
    const { emailId } = delivery;
    const record = await offer(delivery).catch((error: unknown) => recordingOf(delivery, error));
    underWay.delete(emailId);
    // If this process stopped, the next one sends the mail again. Unreadable mail stays due for the
    // next call: another attempt here would follow without a pause.
    if (isBroken || record === undefined) return;
    try {
      record();
    } catch (error) {
      unrecorded.set(emailId, record);
      log(`The outcome of ${emailId} is not stored yet: ${messageOf(error)}`);
      return;
    }
    try {
      work();
    } catch {
      // The next call reports the failure.
    }
  }

  /** Sends a message to the server. Resolves to a function that records the responses. */
  async function offer(delivery: Delivery): Promise<() => void> {
    const { emailId, recipients } = delivery;
    const envelope = envelopeOf(store, emailId);
    const message = await composeMime(store, emailId);
    isUnreadable = false;
    if (envelope === undefined || message === undefined) return () => {};
    const to = recipients.map((recipient) => envelope.to.get(recipient) ?? recipient);
    const started = performance.now();
    const given = await smtp.send({ from: envelope.from, to, message });
    const took = Math.round(performance.now() - started);
    const answers = new Map<string, SmtpReply>();
    for (const [index, recipient] of recipients.entries()) {
      const answer = given.get(to[index] ?? '');
      if (answer !== undefined) answers.set(recipient, answer);
    }
    return () => {
      const lost = [...answers.values()].find((answer) => !wasSent(answer));
      if (lost === undefined) sayAvailable();
      else sayLost(lost.response);
      store.write(() => recordAnswers(store, delivery, answers, { at: clock(), took }));
    };
  }

  /** Records that a message could not be sent; undefined if it is not about the message. */
  function recordingOf(delivery: Delivery, error: unknown): (() => void) | undefined {
    const message = messageOf(error);
    if (isStorageError(error)) {
      if (!isUnreadable) log(`${delivery.emailId} cannot be read, so it waits: ${message}`);
      isUnreadable = true;
      return undefined;
    }
    if (error instanceof ServerUnavailable) {
      return () => {
        sayUnavailable(message);
        putOff(delivery, message);
      };
    }
    return () => {
      log(`${delivery.emailId} cannot be sent to the SMTP server: ${message}`);
      store.write(() => recordFailure(store, delivery, { error: message, at: clock() }));
    };
  }

  /** Postpones all due mail together. Otherwise, each email would wait for the server. */
  function putOff(first: Delivery, reason: string): void {
    store.write(() => {
      const at = clock();
      const others = dueDeliveries(store, at, batch)
        .filter(isFree)
        .filter(({ emailId }) => emailId !== first.emailId);
      for (const delivery of [first, ...others]) recordUnavailable(store, delivery, { reason, at });
    });
  }

  function sayUnavailable(reason: string): void {
    if (isUnavailable) return;
    isUnavailable = true;
    log(`The SMTP server ${name} cannot be used: ${reason}. Mail waits and will be retried.`);
  }

  function sayAvailable(): void {
    if (isUnavailable) say(`The SMTP server ${name} accepts mail again.`);
    isUnavailable = false;
  }

  function sayLost(reason: string): void {
    // A reset may set the sandbox's clock back by years.
    const now = performance.now();
    if (now - lostAt < betweenLines) return;
    lostAt = now;
    log(`The SMTP server ${name} did not respond to a message, which will be retried: ${reason}`);
  }

  return {
    /** Logs if the server cannot be used. Never rejects. */
    async check(): Promise<void> {
      await smtp.verify().catch((error: unknown) => {
        if (!isStopped) sayUnavailable(messageOf(error));
      });
    },
    /** Starts sending due mail on free connections. Call it regularly. */
    work,
    /**
     * Stops, with a short grace period for mail that is being sent. From now on, delivery is simulated again.
     * Resolves to the number of emails that still wait.
     */
    async stop(): Promise<number> {
      isStopped = true;
      await settled(underWay.values());
      isBroken = true;
      smtp.close();
      await settled(underWay.values());
      return store.write(() => {
        if (isDeliverer(store, self)) endSmtpDelivery(store);
        return countDeliveries(store);
      });
    },
  };
}

/** Resolves when all promises have, or after `grace`. */
async function settled(promises: Iterable<Promise<void>>): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, grace);
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
