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
import { strings } from '../../store/json-columns.ts';
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

/** Sends mail to an SMTP server, in the process that serves the sandbox. */
export type SmtpDelivery = Awaited<ReturnType<typeof startSmtpDelivery>>;

/** The most messages that are sent, and held in memory, at once. */
const connections = 5;

/** How many deliveries are postponed together if the server is down. */
const batch = 500;

/** Time for mail that is being sent at Ctrl-C, in milliseconds. */
const grace = 400;

/** The least time between two log lines about lost connections, in milliseconds. */
const betweenLines = 60_000;

/** Makes this process send mail to `server`, for all processes with the same data. */
export async function startSmtpDelivery(options: SmtpDeliveryOptions) {
  const { store, clock, log, say } = options;
  const { name } = options.server;
  const server = await openSmtpServer(options.server, connections);
  const self = randomUUID();
  store.write(() => claimDelivery(store, self, clock()));

  const underWay = new Map<string, Promise<void>>();
  /** Outcomes that could not be stored. This mail must not be sent again. */
  const unrecorded = new Map<string, () => void>();
  let unavailable = false;
  let unreadable = false;
  let lostAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let broken = false;

  return { check, work, stop };

  /** Logs if the server cannot be used. Never rejects. */
  async function check(): Promise<void> {
    await server.verify().catch((error: unknown) => {
      if (!stopped) sayUnavailable(messageOf(error));
    });
  }

  /** Starts sending due mail on free connections. Call it regularly. */
  function work(): void {
    if (stopped) return;
    if (!isDeliverer(store, self)) {
      stopped = true;
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

  /** Whether no connection is sending this email. */
  function isFree({ emailId }: Delivery): boolean {
    return !underWay.has(emailId) && !unrecorded.has(emailId);
  }

  /** Never rejects. */
  async function handOver(delivery: Delivery): Promise<void> {
    const { emailId } = delivery;
    const record = await offer(delivery).catch((error: unknown) => recordingOf(delivery, error));
    underWay.delete(emailId);
    // If this process stopped, the next one sends the mail again. Unreadable mail stays due for the
    // next call: another attempt here would follow without a pause.
    if (broken || record === undefined) return;
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
    unreadable = false;
    if (envelope === undefined || message === undefined) return () => {};
    const to = recipients.map((recipient) => envelope.to.get(recipient) ?? recipient);
    const started = performance.now();
    const given = await server.send({ from: envelope.from, to, message });
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
      sayUnreadable(delivery.emailId, message);
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
      for (const delivery of [first, ...others]) {
        recordUnavailable(store, delivery, { reason, at });
      }
    });
  }

  /**
   * Stops, with a short grace period for mail that is being sent. From now on, delivery is simulated again.
   * Resolves to the number of emails that still wait.
   */
  async function stop(): Promise<number> {
    stopped = true;
    await settled([...underWay.values()]);
    broken = true;
    server.close();
    await settled([...underWay.values()]);
    return store.write(() => {
      if (isDeliverer(store, self)) endSmtpDelivery(store);
      return countDeliveries(store);
    });
  }

  function sayUnavailable(reason: string): void {
    if (unavailable) return;
    unavailable = true;
    log(`The SMTP server ${name} cannot be used: ${reason}. Mail waits and will be retried.`);
  }

  function sayAvailable(): void {
    if (unavailable) say(`The SMTP server ${name} accepts mail again.`);
    unavailable = false;
  }

  function sayUnreadable(emailId: string, reason: string): void {
    if (unreadable) return;
    unreadable = true;
    log(`${emailId} cannot be read, so it waits: ${reason}`);
  }

  function sayLost(reason: string): void {
    // A reset may set the sandbox's clock back by years.
    const now = performance.now();
    if (now - lostAt < betweenLines) return;
    lostAt = now;
    log(`The SMTP server ${name} did not respond to a message, which will be retried: ${reason}`);
  }
}

/** Resolves when all promises have, or after `grace`. */
async function settled(promises: readonly Promise<void>[]): Promise<void> {
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

/** The SMTP envelope: bare addresses, as written. */
/** The envelope of an email, with all its recipients; undefined if there is no such email. */
function envelopeOf(store: Store, emailId: string) {
  const email = store.one<{ sender: string; to: string; cc: string; bcc: string }>(
    'SELECT sender, recipients AS "to", cc, bcc FROM emails WHERE id = ?',
    emailId,
  );
  if (email === undefined) return undefined;
  const lists = [email.to, email.cc, email.bcc].map(strings);
  return {
    from: written(email.sender),
    /** By the bare address in lower case, under which events are recorded. */
    to: new Map(lists.flat().map((mailbox) => [bareAddress(mailbox), written(mailbox)])),
  };
}

function written(mailbox: string): string {
  return mailboxParts(mailbox)?.address ?? bareAddress(mailbox);
}
