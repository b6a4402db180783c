import { readSetting, removeSetting, writeSetting } from '../../store/settings.ts';
import type { Store } from '../../store/store.ts';

/** An email that waits for an SMTP server. */
export interface Delivery {
  readonly emailId: string;
  /** Bare addresses: the recipients without an outcome. */
  readonly recipients: readonly string[];
  /** The number of attempts. */
  readonly attempts: number;
  /** When retries end: milliseconds since 1970. */
  readonly expiresAt: number;
}

/** How long a delivery is retried, in milliseconds. */
const deliveryLifetime = 12 * 3_600_000;

/** Whether mail is sent to an SMTP server; otherwise its delivery is simulated. */
export function deliversBySmtp(store: Store): boolean {
  return readSetting(store, 'delivery') !== undefined;
}

/** Whether the process of this name sends mail to the SMTP server. */
export function isDeliverer(store: Store, name: string): boolean {
  return readSetting(store, 'delivery') === name;
}

/**
 * Makes the process of this name send mail to the SMTP server, in place of another one. Waiting mail is due
 * again, and is retried for the full time.
 */
export function claimDelivery(store: Store, name: string, now: number): void {
  writeSetting(store, 'delivery', name);
  store.run(
    'UPDATE deliveries SET due_at = min(due_at, ?), attempts = 0, expires_at = max(expires_at, ?)',
    now,
    now + deliveryLifetime,
  );
}

/** Simulates the delivery of new mail again. Waiting mail stays. */
export function endSmtpDelivery(store: Store): void {
  removeSetting(store, 'delivery');
}

/** How many emails wait for an SMTP server. */
export function countDeliveries(store: Store): number {
  return store.value<number>('SELECT count(*) FROM deliveries') ?? 0;
}

/** Queues an email for the SMTP server. Call it in a transaction. */
export function addDelivery(
  store: Store,
  emailId: string,
  recipients: readonly string[],
  at: number,
): void {
  store.insert('deliveries', {
    emailId,
    dueAt: at,
    recipients,
    attempts: 0,
    expiresAt: at + deliveryLifetime,
  });
}

/** The deliveries that are due at `now`, in order of time. */
export function dueDeliveries(store: Store, now: number, limit: number): Delivery[] {
  return store.all<Delivery>(
    `SELECT email_id, recipients, attempts, expires_at FROM deliveries
     WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?`,
    now,
    limit,
  );
}

export function removeDelivery(store: Store, emailId: string): void {
  store.run('DELETE FROM deliveries WHERE email_id = ?', emailId);
}

/** Retries a delivery at `dueAt`, for the remaining recipients. */
export function postponeDelivery(
  store: Store,
  emailId: string,
  { recipients, dueAt }: { recipients: readonly string[]; dueAt: number },
): void {
  store.run(
    `UPDATE deliveries SET due_at = ?, recipients = ?, attempts = attempts + 1
     WHERE email_id = ?`,
    dueAt,
    recipients,
    emailId,
  );
}
