import { setTimeout as sleep } from 'node:timers/promises';
import { bareAddress } from '../../api/bare-address.ts';
import { asciiDomain } from '../../api/domain-name.ts';
import { domainOf, localPartOf } from '../model/addresses.ts';
import type { AccountName } from '../model/api-account.ts';
import type { EmailColumns } from '../model/email/emails.ts';
import { fold } from '../model/email/fold.ts';
import { iso } from '../model/iso.ts';
import type { Store, Value } from '../store/store.ts';
import type { MessageRead } from './message-read.ts';

/** The messages to wait for. What is absent says nothing. */
export interface WantedMail {
  /** The address of a recipient, copies included. */
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  /** A part of the subject, whatever its case. */
  readonly subject?: string | undefined;
  /** Sent at this time or later, in milliseconds since 1970, by the clock of the sandbox; or after the message with this id. */
  readonly since?: number | string | undefined;
  /** Whether it has a code. */
  readonly code?: boolean | undefined;
  /** A part of the URL or of the text of a link in it. */
  readonly link?: string | undefined;
}

/** A sentence about a wait that ended without what was waited for: what was missing, and what came instead. */
export function inVain(
  store: Store,
  wanted: WantedMail,
  { count, total, timeout }: Pick<ArrivalWait, 'count' | 'timeout'> & { readonly total: number },
): string {
  if (count === 0) return `A message came${inWords(wanted)}.`;
  const missing = total === 0 ? 'No message' : `Only ${total} of ${count} messages`;
  const newest = store
    .all<{ recipients: string[]; subject: string; status: string }>(
      'SELECT recipients, subject, latest_status AS status FROM emails ORDER BY seq DESC LIMIT 3',
    )
    .map(({ recipients, subject, status }) => {
      const what = `${JSON.stringify(subject)} to ${recipients.join(', ')}`;
      return unsent.includes(status) ? `${what} (${status})` : what;
    });
  const here =
    newest.length === 0 ? 'There are no messages.' : `The newest here: ${newest.join('; ')}.`;
  return `${missing}${inWords(wanted)} came within ${timeout / 1000} s. ${[here, ...rejection(store)].join(' ')}`;
}

/** A sentence about the last request to send, if it was rejected and nothing came after it. */
function rejection(store: Store): string[] {
  const last = store.one<{ method: string; path: string; status: number; reason: string | null }>(
    `SELECT method, path, status, reason FROM requests
     WHERE method = 'POST' AND path LIKE '%/v1/emails%' AND at >= (SELECT coalesce(max(created_at), 0) FROM emails)
     ORDER BY seq DESC LIMIT 1`,
  );
  if (last === undefined || last.status < 400) return [];
  const { method, path, status, reason } = last;
  return [`${method} ${path} was rejected with ${status}${reason === null ? '' : `: ${reason}`}.`];
}

function inWords({ to, from, subject, since, code, link }: WantedMail): string {
  const quoted = (before: string, text: string | undefined, after = '') =>
    text === undefined ? '' : `${before} ${JSON.stringify(text)}${after}`;
  const then = typeof since === 'number' ? ` since ${iso(since)}` : quoted(' after', since);
  return [
    quoted(' to', to),
    quoted(' from', from),
    quoted(' with', subject, ' in its subject'),
    code === true ? ' with a code' : '',
    quoted(' with a link that has', link),
    then,
  ].join('');
}

/** Statuses of emails that the service has not sent, or not yet. */
const unsent = ['SCHEDULED', 'CANCELLED', 'SUPPRESSED', 'FAILED', 'RENDERING_FAILURE'];

/** When an email was sent, or the service accepted it. */
const sentAt = 'max(e.created_at, coalesce(e.scheduled_at, 0))';

/** `since` is the id of no message. */
export class UnknownMessage extends Error {
  constructor(id: string) {
    super(`There is no message ${JSON.stringify(id)}`);
  }
}

/** The ids of the messages that are there, newest first. Throws `UnknownMessage`. */
function arrived(store: Store, { to, from, subject, since }: WantedMail): readonly string[] {
  const conditions = [`e.latest_status NOT IN (${unsent.map(() => '?').join()})`];
  const values: Value[] = [...unsent];
  const where = (sql: string, ...bound: Value[]) => {
    conditions.push(sql);
    values.push(...bound);
  };
  // Folded text finds candidates fast; whether an address is the same, is decided below.
  if (to !== undefined) where('instr(t.recipients, ?)', localPart(to));
  if (from !== undefined) where('instr(t.sender, ?)', localPart(from));
  if (subject !== undefined) where('instr(t.subject, ?)', fold(subject));
  if (typeof since === 'number') where(`${sentAt} >= ?`, since);
  if (typeof since === 'string') {
    const last = store.one<{ at: number; seq: number }>(
      `SELECT ${sentAt} AS at, seq FROM emails AS e WHERE id = ?`,
      since,
    );
    if (last === undefined) throw new UnknownMessage(since);
    where(`(${sentAt}, e.seq) > (?, ?)`, last.at, last.seq);
  }
  const rows = store.all<Pick<EmailColumns, 'id' | 'sender' | 'recipients' | 'cc' | 'bcc'>>(
    `SELECT e.id, e.sender, e.recipients, e.cc, e.bcc
     FROM emails AS e JOIN message_texts AS t ON t.seq = e.seq
     WHERE ${conditions.join(' AND ')} ORDER BY ${sentAt} DESC, e.seq DESC`,
    ...values,
  );
  const is = (wanted: string | undefined, mailboxes: readonly string[]) =>
    wanted === undefined || mailboxes.some((one) => compared(one) === compared(wanted));
  return rows
    .filter(
      ({ sender, recipients, cc, bcc }) =>
        is(from, [sender]) && is(to, [recipients, cc, bcc].flat()),
    )
    .map(({ id }) => id);
}

function localPart(mailbox: string): string {
  return fold(`${localPartOf(bareAddress(mailbox))}@`);
}

/** An address in lower case, with its domain in ASCII, because programs write an international one either way. */
function compared(mailbox: string): string {
  const address = bareAddress(mailbox);
  const domain = domainOf(address);
  return `${localPartOf(address)}@${asciiDomain(domain) ?? domain}`;
}

/** How often to look for new messages, in milliseconds. */
const interval = 50;

export interface ArrivalWait {
  /** How many messages to wait for; 0 to see that none comes. */
  readonly count: number;
  /** Milliseconds of real time. */
  readonly timeout: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** The account whose messages they are. */
  readonly account: AccountName;
}

/** How a wait ended. */
export interface Arrivals {
  /** Whether so many came in time; with a count of 0, whether none did. */
  readonly met: boolean;
  /** How many came. */
  readonly total: number;
  /** The newest, newest first: as many as were waited for, and with a count of 0 the one that came. */
  readonly messages: readonly MessageRead[];
}

/**
 * Waits until messages arrived, sent by any process. Messages that are there already count. Rejects with
 * `UnknownMessage`.
 */
export async function waitForArrivals(
  store: Store,
  wanted: WantedMail,
  { count, timeout, signal, account }: ArrivalWait,
): Promise<Arrivals> {
  // With what reads HTML, which nothing else in the sandbox needs at its start.
  const { linksWith, readMessage } = await import('./message-read.ts');
  const end = performance.now() + timeout;
  const enough = Math.max(count, 1);
  const read = new Map<string, MessageRead | undefined>();
  const messageOf = (id: string) => {
    if (!read.has(id)) read.set(id, readMessage(store, id, account));
    return read.get(id);
  };
  const isWanted = (id: string) => {
    if (wanted.code !== true && wanted.link === undefined) return true;
    const message = messageOf(id);
    if (message === undefined || (wanted.code === true && message.codes.length === 0)) return false;
    return wanted.link === undefined || linksWith(message, wanted.link).length > 0;
  };
  let seen: string | undefined;
  let ids: readonly string[] = [];
  for (;;) {
    const now = changes(store);
    if (now !== seen) ids = arrived(store, wanted).filter(isWanted);
    seen = now;
    const left = end - performance.now();
    if (ids.length >= enough || left <= 0 || signal?.aborted === true) break;
    await sleep(Math.min(interval, left), undefined, { signal }).catch(() => {});
  }
  const met = count === 0 ? ids.length === 0 : ids.length >= count;
  const messages = ids.slice(0, enough).flatMap((id) => messageOf(id) ?? []);
  return { met, total: ids.length, messages };
}

/** A text that is another one after each change of the data, also by other processes. */
function changes(store: Store): string {
  return `${store.value('SELECT total_changes()')} ${store.value('PRAGMA data_version')}`;
}
