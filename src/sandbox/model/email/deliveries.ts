import { strings } from '../../store/json-columns.ts';
import { readSetting, removeSetting, writeSetting } from '../../store/settings.ts';
import type { Store } from '../../store/store.ts';

/** An email that waits to be handed to an SMTP server, and for whom. */
export interface Delivery {
  readonly emailId: string;
  /** Bare addresses: those that it has not been decided for. */
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

/** Whether the server process of this name is the one that hands mail over. */
export function isDeliverer(store: Store, name: string): boolean {
  return readSetting(store, 'delivery') === name;
}

/**
 * Makes the server process of this name the one that hands mail over, from now on; a former one
 * finds that it is no more. All that waits is due again, with all its time before it.
 */
export function becomeDeliverer(store: Store, name: string, now: number): void {
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
  return store.one<{ count: number }>('SELECT count(*) AS count FROM deliveries')?.count ?? 0;
}

/** Queues an email for the SMTP server. Call it in a transaction. */
export function addDelivery(
  store: Store,
  emailId: string,
  recipients: readonly string[],
  at: number,
): void {
  store.run(
    `INSERT INTO deliveries (email_id, due_at, recipients, attempts, expires_at)
     VALUES (?, ?, ?, 0, ?)`,
    emailId,
    at,
    JSON.stringify(recipients),
    at + deliveryLifetime,
  );
}

/** The deliveries due at `now`, in order of time, at most `limit`. */
export function dueDeliveries(store: Store, now: number, limit: number): Delivery[] {
  return store
    .all<Omit<Delivery, 'recipients'> & { recipients: string }>(
      `SELECT email_id AS emailId, recipients, attempts, expires_at AS expiresAt
       FROM deliveries WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?`,
      now,
      limit,
    )
    .map((row) => ({ ...row, recipients: strings(row.recipients) }));
}

/** Removes a delivery. */
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
    JSON.stringify(recipients),
    emailId,
  );
}
