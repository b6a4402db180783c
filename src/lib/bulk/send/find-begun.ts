import { bareAddress } from '../../../api/bare-address.ts';
import type { EmailListItem, SendBody } from '../../../api/email.ts';
import { limits } from '../../../api/limits.ts';
import type { Context } from '../../command/context.ts';
import { addressees } from '../../email/recipients.ts';
import type { BodyReader } from '../journal/bodies.ts';
import type { Clocks, Moment } from '../journal/clocks.ts';
import type { Journal } from '../journal/journal.ts';
import type { BegunPart } from '../journal/run-parts.ts';
import { inOneLine } from './match-in-order.ts';
import { emailsOf } from './part-emails.ts';

/**
 * What the service has of a request that was begun and had no response: nothing, some or all of its emails, or
 * emails that another request may own as well.
 */
export type Begun =
  | { readonly kind: 'none' | 'unclear' }
  | { readonly kind: 'some' | 'all'; readonly ids: readonly string[] };

/** Finds out what the service has of requests that were begun and had no response. */
export interface FindBegun {
  /** Whether a request must be looked for before it is repeated. */
  isNeeded(part: BegunPart): boolean;
  /** Looks for the emails of a request; undefined as soon as `goesOn` returns false. */
  find(part: BegunPart, goesOn: () => boolean): Promise<Begun | undefined>;
}

/** Milliseconds for which services lock the key of a request while they carry it out. */
const lock = limits.idempotencyLockSeconds * 1000;
/** Within this time, it is repeated without a look. */
const safelyRepeated = lock / 2;
/** Milliseconds between two looks, which must agree. */
const betweenLooks = 10_000;
/** Milliseconds after its beginning in which a request may still create emails. */
const longestWork = 3_600_000;
/** Milliseconds by which the service's clock may differ from its own `Date`, and by which ours may. */
const slack = 5_000;
const slackOfOurClock = 12 * 3_600_000;

interface FindOptions {
  readonly context: Context;
  readonly journal: Journal;
  readonly bodies: BodyReader;
  readonly clocks: Clocks;
  /** Resolves when a request may be sent. */
  readonly turn: () => Promise<void>;
}

/**
 * Looks for the emails of requests that an earlier process began, before they are repeated: once the service no
 * longer locks its key, a request that is still at work would be carried out a second time. While it is locked, it
 * is repeated without a look: the service tells by itself. A look that fails is an error, because it proves nothing.
 */
export function createFindBegun(options: FindOptions): FindBegun {
  const { context, journal, bodies, clocks, turn } = options;
  const { call, report, system } = context;
  let owned: Set<string> | undefined;
  /** Ids that the run has already, which are of other emails. */
  const ownedIds = (): Set<string> => {
    if (owned === undefined) {
      owned = new Set<string>();
      for (const { parts } of journal.outcomes()) {
        for (const { ids = [] } of parts) for (const id of ids) owned.add(id);
      }
    }
    return owned;
  };
  let signatures: Map<string, number> | undefined;
  /** By how many requests without a response each email may be owned. */
  const owners = (signature: string): number => {
    if (signatures === undefined) {
      signatures = new Map();
      for (const part of journal.unanswered(0, mostUnanswered)) {
        const own = new Set(emailsOf(part, bodies).map(({ email }) => signatureOf(email)));
        for (const one of own) signatures.set(one, (signatures.get(one) ?? 0) + 1);
      }
    }
    return signatures.get(signature) ?? 0;
  };

  /** The emails that the service created around that time, newest first. */
  const listed = async (begun: Moment, goesOn: () => boolean): Promise<EmailListItem[]> => {
    const since =
      begun.service === undefined ? begun.here - slackOfOurClock : begun.service - slack;
    const until = (begun.service ?? begun.here + slackOfOurClock) + longestWork;
    const isOver = until < (clocks.latest().service ?? clocks.latest().here);
    const query = {
      limit: limits.emailsPerPage.max,
      ...(isOver ? { endDate: new Date(until).toISOString() } : {}),
    };
    const found = new Map<string, EmailListItem>();
    for (let page = 1; goesOn(); page++) {
      const { data } = await call('email.list', { query: { ...query, page } }, { turn });
      for (const item of data) found.set(item.id, item);
      const oldest = Date.parse(data.at(-1)?.createdAt ?? '');
      if (data.length < query.limit || oldest < since) break;
    }
    return [...found.values()].filter(({ createdAt }) => !(Date.parse(createdAt ?? '') < since));
  };

  const look = async (part: BegunPart, goesOn: () => boolean): Promise<Begun> => {
    const emails = emailsOf(part, bodies).map(({ email }) => email);
    const items = (await listed(part.begun, goesOn)).filter(({ id }) => !ownedIds().has(id));
    return match(emails, items, owners);
  };

  return {
    isNeeded: ({ begun }) => longestSince(begun, clocks.latest()) > safelyRepeated,
    async find(part, goesOn) {
      const { begun } = part;
      report('Looking for emails whose response was lost, before anything is sent again');
      const started = system.monotonic();
      let before: Begun | undefined;
      for (;;) {
        const found = await look(part, goesOn);
        if (!goesOn()) return undefined;
        // If the clocks disagree, it has waited long enough itself.
        const isLockOver =
          shortestSince(begun, clocks.earliest()) >= lock || system.monotonic() - started >= lock;
        const agrees = before !== undefined && isSame(before, found);
        if (found.kind === 'all' || found.kind === 'unclear' || (isLockOver && agrees)) {
          if ('ids' in found) for (const id of found.ids) ownedIds().add(id);
          return found;
        }
        before = found;
        await system.sleep(betweenLooks, system.signal);
      }
    },
  };
}

/** Parts without a response that are compared with each other. There are never more than those at the same time. */
const mostUnanswered = 1000;

/** Milliseconds between two moments, by the clock that shows more, or less. */
function longestSince(begun: Moment, now: Moment): number {
  return Math.max(...since(begun, now).map(Math.abs));
}

function shortestSince(begun: Moment, now: Moment): number {
  return Math.min(...since(begun, now).map(Math.abs));
}

function since(begun: Moment, now: Moment): number[] {
  const here = now.here - begun.here;
  if (begun.service === undefined || now.service === undefined) return [here];
  return [here, now.service - begun.service];
}

function isSame(one: Begun, other: Begun): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Gives each email the item that must be its own, in the order of the emails. */
function match(
  emails: readonly SendBody[],
  items: readonly EmailListItem[],
  owners: (signature: string) => number,
): Begun {
  const groups = new Map<string, { readonly email: SendBody; readonly places: number[] }>();
  for (const [place, email] of emails.entries()) {
    const signature = signatureOf(email);
    const group = groups.get(signature) ?? { email, places: [] };
    group.places.push(place);
    groups.set(signature, group);
  }
  const ids: (string | undefined)[] = emails.map(() => undefined);
  const taken = new Set<string>();
  for (const [signature, { email, places }] of groups) {
    // Oldest first, as they were created.
    const own = items.filter((item) => isPerhaps(item, email)).toReversed();
    if (own.length === 0) continue;
    const isShared = owners(signature) > 1 || own.some(({ id }) => taken.has(id));
    if (isShared || own.length > places.length) return { kind: 'unclear' };
    for (const [index, { id }] of own.entries()) {
      taken.add(id);
      ids[places[index] ?? 0] = id;
    }
  }
  const found = ids.filter((id) => id !== undefined);
  if (found.length === 0) return { kind: 'none' };
  return { kind: found.length === emails.length ? 'all' : 'some', ids: found };
}

/** Emails with the same signature cannot be told apart in the list. */
function signatureOf(email: SendBody): string {
  const { from, subject, text, html, templateId } = email;
  return JSON.stringify([
    addressees({ to: email.to }).toSorted(),
    from,
    subject,
    text,
    html,
    templateId,
  ]);
}

/** Whether an item may be this email. The service does not show suppressed recipients, which may be all. */
function isPerhaps(item: EmailListItem, email: SendBody): boolean {
  const recipients = new Set(addressees({ to: email.to }));
  if (!addressees({ to: item.to ?? [] }).every((address) => recipients.has(address))) return false;
  if (typeof item.from === 'string' && bareAddress(item.from) !== bareAddress(email.from))
    return false;
  // A stored template has a subject and HTML of its own.
  if (email.templateId !== undefined) return isText(item.text, email.text);
  return (
    isText(item.subject, email.subject) &&
    isText(item.text, email.text) &&
    isText(item.html, email.html)
  );
}

/** A service may not show a text at all. */
function isText(shown: string | null | undefined, sent: string | undefined): boolean {
  if (typeof shown !== 'string' || sent === undefined) return true;
  return inOneLine(shown) === inOneLine(sent);
}
