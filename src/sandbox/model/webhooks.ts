import { type EventType, mostAttempts, unsentTypes } from '../../shared/webhook/event-types.ts';
import type { Store } from '../store/store.ts';
import { newId } from './ids.ts';
import { iso } from './iso.ts';

/** An endpoint that gets calls. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** The events that it gets; if empty, those that a service sends by itself. */
  readonly events: readonly string[];
  /** Whether it goes when the server that has it stops. */
  readonly temporary: boolean;
  /** False after 30 calls in a row that failed. */
  readonly enabled: boolean;
  /** Calls that failed in a row. */
  readonly failures: number;
  /** How many calls wait, also for their next attempt. */
  readonly waiting: number;
  readonly delivered: number;
}

/** An endpoint to add. */
export interface NewWebhook {
  readonly url: string;
  readonly secret: string;
  readonly events: readonly EventType[];
  readonly temporary: boolean;
}

/** After this many failed calls in a row, an endpoint gets no more. */
const mostFailures = 30;

/** How many calls are kept, and how many if they wait: no server may ever send them. */
const keptCalls = 5000;
const mostWaiting = 100_000;

/** Adds an endpoint, in place of one with this URL. Returns its id. Call it in a transaction. */
export function addWebhook(store: Store, webhook: NewWebhook, now: number): string {
  const { url, secret, events, temporary } = webhook;
  const id = `webhook_${newId(now)}`;
  store.run('DELETE FROM webhooks WHERE url = ?', url);
  store.insert('webhooks', {
    id,
    url,
    secret,
    events,
    temporary,
    createdAt: now,
  });
  return id;
}

/** Removes an endpoint and its calls. Returns whether there was one. */
export function removeWebhook(store: Store, id: string): boolean {
  return store.run('DELETE FROM webhooks WHERE id = ?', id) > 0;
}

/** Removes the endpoints of a server that has stopped. */
export function removeTemporaryWebhooks(store: Store): void {
  store.run('DELETE FROM webhooks WHERE temporary = 1');
}

export function listWebhooks(store: Store): Webhook[] {
  return store.all<Webhook>(
    `SELECT id, url, events, temporary, enabled, failures,
       (SELECT count(*) FROM webhook_calls WHERE webhook_id = w.id AND due_at IS NOT NULL) AS waiting,
       (SELECT count(*) FROM webhook_calls WHERE webhook_id = w.id AND delivered = 1) AS delivered
     FROM webhooks w ORDER BY created_at, id`,
  );
}

/**
 * Adds a call for each endpoint that gets this event and was there when it happened. `data` is called if there are any; without data, nothing is
 * added. Events that no service sends go only to endpoints that name them. Call it in a transaction.
 */
export function callWebhooks(
  store: Store,
  type: EventType,
  at: number,
  data: () => object | undefined,
): void {
  const wanted = store
    .all<{ id: string; events: string[] }>(
      'SELECT id, events FROM webhooks WHERE enabled = 1 AND created_at <= ?',
      at,
    )
    .filter(({ events }) =>
      events.length === 0 ? !unsentTypes.includes(type) : events.includes(type),
    );
  if (wanted.length === 0) return;
  const told = data();
  if (told === undefined) return;
  for (const { id } of wanted) addCall(store, id, { type, data: told }, at);
}

/** Adds a call for one endpoint. Call it in a transaction. */
export function addCall(
  store: Store,
  webhookId: string,
  { type, data }: { readonly type: EventType; readonly data: object },
  at: number,
): void {
  store.insert('webhook_calls', {
    id: `call_${newId(at)}`,
    webhookId,
    type,
    data,
    createdAt: at,
    dueAt: at,
  });
  // By the index, which does not look at calls that wait.
  store.run(
    `DELETE FROM webhook_calls
     WHERE webhook_id = ? AND due_at IS NULL AND seq <= (SELECT max(seq) FROM webhook_calls) - ?`,
    webhookId,
    keptCalls,
  );
  store.run(
    'DELETE FROM webhook_calls WHERE seq <= (SELECT max(seq) FROM webhook_calls) - ?',
    mostWaiting,
  );
}

/** A call and what came of it so far. Times are ISO 8601. */
export interface LoggedCall {
  readonly id: string;
  readonly webhookId: string;
  readonly type: string;
  readonly createdAt: string;
  /** When the next attempt is due; null if there is none. */
  readonly dueAt: string | null;
  readonly attempts: number;
  readonly delivered: boolean;
  /** Of the last attempt; null if there was no response. */
  readonly status: number | null;
  /** The beginning of the last response, or why there was none; null before the first attempt. */
  readonly response: string | null;
  readonly data: unknown;
}

/** The calls of all endpoints, newest first. */
export function loggedCalls(store: Store, limit: number): LoggedCall[] {
  type Row = Omit<LoggedCall, 'createdAt' | 'dueAt' | 'delivered'> &
    Record<'createdAt' | 'delivered', number> & { dueAt: number | null };
  return store
    .all<Row>(
      `SELECT id, webhook_id, type, attempts, status, response, created_at, due_at, delivered, data
       FROM webhook_calls ORDER BY seq DESC LIMIT ?`,
      limit,
    )
    .map((row) => ({
      ...row,
      createdAt: iso(row.createdAt),
      dueAt: iso(row.dueAt),
      delivered: row.delivered === 1,
    }));
}

/** A call, its endpoint, and how it was sent so far. Times are milliseconds since 1970. */
export interface CallInFull extends Omit<DueCall, 'dueAt'> {
  readonly dueAt: number | null;
  readonly delivered: boolean;
  /** Oldest first. */
  readonly made: readonly (Omit<AttemptResult, 'delivered'> & { readonly attempt: number })[];
}

/** Undefined if there is no call with this id. */
export function findCall(store: Store, id: string): CallInFull | undefined {
  const call = store.one<Omit<CallInFull, 'delivered' | 'made'> & { delivered: number }>(
    `SELECT c.id, c.webhook_id, w.url, w.secret, c.type, c.data, c.created_at, c.due_at, c.attempts,
       c.delivered
     FROM webhook_calls c JOIN webhooks w ON w.id = c.webhook_id WHERE c.id = ?`,
    id,
  );
  if (call === undefined) return undefined;
  const made = store.all<CallInFull['made'][number]>(
    `SELECT attempt, at, signed_at, status, response FROM webhook_attempts
     WHERE call_id = ? ORDER BY attempt`,
    id,
  );
  return { ...call, delivered: call.delivered === 1, made };
}

/** Sends a call once more, at once; its endpoint is switched on again. Returns whether there is one. Call it in a transaction. */
export function repeatCall(store: Store, id: string, now: number): boolean {
  store.run(
    'UPDATE webhooks SET enabled = 1, failures = 0 WHERE id = (SELECT webhook_id FROM webhook_calls WHERE id = ?)',
    id,
  );
  return store.run('UPDATE webhook_calls SET due_at = ?, delivered = 0 WHERE id = ?', now, id) > 0;
}

/** A call whose time has come. */
export interface DueCall {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  readonly secret: string;
  readonly type: string;
  readonly data: unknown;
  readonly createdAt: number;
  readonly dueAt: number;
  /** Attempts so far. */
  readonly attempts: number;
}

/** The next due call of each endpoint that is switched on. */
export function dueCalls(store: Store, now: number): DueCall[] {
  return store.all<DueCall>(
    `SELECT c.id, c.webhook_id, w.url, w.secret, c.type, c.data, c.created_at, c.due_at, c.attempts
     FROM webhooks w JOIN webhook_calls c ON c.seq =
       (SELECT seq FROM webhook_calls WHERE webhook_id = w.id AND due_at <= ? ORDER BY due_at, seq LIMIT 1)
     WHERE w.enabled = 1`,
    now,
  );
}

/** What came of an attempt. */
export interface AttemptResult {
  /** When it began by the sandbox's clock, and by the real one, with which it was signed: milliseconds since 1970. */
  readonly at: number;
  readonly signedAt: number;
  readonly delivered: boolean;
  /** Null if there was no response. */
  readonly status: number | null;
  /** The beginning of the response, or why there was none. */
  readonly response: string;
}

/** The first pause between two attempts, in milliseconds. It doubles each time. */
const firstPause = 5000;

/**
 * Stores the result of an attempt. The next one follows 5 s·2ⁿ after the time at which this one was due, and up to 30 %
 * later, so that retries also pass when the clock is advanced. Call it in a transaction.
 */
export function recordAttempt(
  store: Store,
  call: DueCall,
  { at, signedAt, delivered, status, response }: AttemptResult,
  /** At least 0, less than 1. */
  random: number,
): void {
  const attempts = call.attempts + 1;
  const pause = firstPause * 2 ** (attempts - 1) * (1 + 0.3 * random);
  const isOver = delivered || attempts >= mostAttempts;
  const next = isOver ? null : Math.round(call.dueAt + pause);
  const known = store.run(
    `UPDATE webhook_calls SET due_at = ?, attempts = ?, delivered = ?, status = ?, response = ?
     WHERE id = ?`,
    next,
    attempts,
    delivered,
    status,
    response,
    call.id,
  );
  // The endpoint was removed meanwhile.
  if (known === 0) return;
  const made = { callId: call.id, attempt: attempts, at, signedAt, status, response };
  store.insert('webhook_attempts', made);
  if (delivered) store.run('UPDATE webhooks SET failures = 0 WHERE id = ?', call.webhookId);
  if (delivered || !isOver) return;
  store.run(
    'UPDATE webhooks SET failures = failures + 1, enabled = failures + 1 < ? WHERE id = ?',
    mostFailures,
    call.webhookId,
  );
}
