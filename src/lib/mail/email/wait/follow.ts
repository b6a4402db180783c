import { addressees } from '../../../../api/addressees.ts';
import type { Email, EmailListItem } from '../../../../api/email.ts';
import { limits } from '../../../../api/limits.ts';
import { BadReplyError, MailerError } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { isTransient, lastLook, longerPause } from '../../../command-line/command/poll.ts';
import { startWaiting, type Waiting } from '../../../command-line/command/waiting.ts';
import { lacksCopies, listedEmail } from '../copies.ts';
import { judge, judgeListed, type Outcome } from '../email-outcome.ts';
import type { SentTo } from '../recipients.ts';
import type { EmailWait } from './wait-flags.ts';

/** An email to follow, and its recipients if they are known without asking the service. */
export interface ToFollow extends SentTo {
  readonly id: string;
}

/** The state of an email that is followed. */
export interface Followed extends ToFollow {
  /** As last fetched; undefined before. */
  readonly email?: Email;
  /** As in the list, if that was the last look. */
  readonly listed?: EmailListItem;
  readonly outcome: Outcome;
  /** Its copies and its scheduled time, once they have been looked up in the list. */
  readonly copies?: Copies;
}

type Copies = Partial<Pick<EmailListItem, 'cc' | 'bcc' | 'latestStatus' | 'scheduledAt'>>;

/** What a wait says about its emails. */
interface Reports {
  readonly look: (now: Followed, before: Followed, waiting: Waiting) => void;
  readonly now: (followed: readonly Followed[]) => string;
}

export interface FollowOptions extends EmailWait {
  /** Whether the service has just responded, so that a failed connection is probably temporary. */
  readonly answered: boolean;
  /** Whether the emails were sent together. Then their copies are known, and pages of the list show their status. */
  readonly areBatch: boolean;
}

/** So many emails are first looked up in the list; fewer, each by itself, with its history. */
const enoughToList = 10;
/**
 * An email that is still queued after so many looks may have failed to render, which only its history shows, because
 * the service ranks being queued higher. So many are looked up each by itself then, at each look.
 */
const patientLooks = 8;
const mostDoubted = 10;
/** After so many pages without one of them, the others are looked up each by itself. */
const mostWithout = 2;

// Emails move within seconds, faster than domains and campaigns.
const firstPause = 500;
const longestPause = 10_000;

/**
 * Polls emails, at growing intervals, until each has reached a status or failed, or time is up, when
 * `kind` is still `open`. Decided emails are not fetched again. `look` gets each state and the one before,
 * `now` says how far all are. Keeps waiting while the service does not respond; throws all other errors. Returns the
 * emails as last seen, by id, and the wait for them.
 */
export async function followEmails(
  context: Context,
  emails: readonly ToFollow[],
  { until, areBatch, ...options }: FollowOptions,
  { look: report, now: inWords }: Reports,
) {
  const { call } = context;
  const followed = new Map<string, Followed>(
    emails.map((one) => [one.id, { ...one, outcome: { kind: 'open' } }]),
  );
  const waiting = startWaiting(context, {
    ...options,
    interval: undefined,
    now: () => inWords([...followed.values()]),
  });

  const lookUpCopies = async (
    email: Email,
    sent: SentTo,
    limit: { deadline: number },
  ): Promise<Copies | undefined> => {
    const { sentTo, cc = [], bcc = [] } = sent;
    // Known to have been sent without copies.
    const mayHaveSome = sentTo === undefined || cc.length + bcc.length > 0;
    if (areBatch || !lacksCopies(email) || !mayHaveSome) return undefined;
    try {
      return (await listedEmail({ call }, email, limit)) ?? {};
    } catch (error) {
      // A rejected list request says nothing about the email.
      if (isTransient(error) || !(error instanceof MailerError && error.details.status))
        throw error;
      return {};
    }
  };

  /** The email as it is now; undefined if the service does not respond. */
  const look = async (before: Followed): Promise<Followed | undefined> => {
    const { id } = before;
    let seen: Email | undefined;
    const now = await waiting.look(async (limit) => {
      const email = await call('email.get', { params: { emailId: id } }, limit);
      if (email.id !== id) throw anotherEmail(email.id, id);
      seen = email;
      const copies = before.copies ?? (await lookUpCopies(email, before, limit));
      const { listed: _, ...rest } = before;
      const known = { ...rest, ...(copies && withCopies(before, copies)) };
      return { ...known, email, outcome: judge({ ...copies, ...email }, until, known) };
    });
    if (now === undefined && seen !== undefined) followed.set(id, { ...before, email: seen });
    return now;
  };

  const lookAtList = areBatch ? createListLook(context, waiting, until) : undefined;
  for (let pause = firstPause; ; pause = longerPause(pause, longestPause)) {
    const seen = await lookAtList?.([...followed.values()].filter(isUndecided), (now, before) => {
      followed.set(now.id, now);
      report(now, before, waiting);
    });
    const rest = [...followed.values()].filter((one) => isUndecided(one) && !seen?.has(one.id));
    for (const before of waiting.outage() === undefined || seen === undefined ? rest : []) {
      if (waiting.left() <= -lastLook) break;
      const now = await look(before);
      if (now === undefined) {
        // The other requests would probably fail, too; they come first the next time.
        const failed = followed.get(before.id) ?? before;
        followed.delete(before.id);
        followed.set(before.id, failed);
        break;
      }
      followed.set(now.id, now);
      report(now, before, waiting);
    }
    if (waiting.left() <= 0 || ![...followed.values()].some(isUndecided)) {
      return { followed, waiting };
    }
    await waiting.pause(pause);
  }
}

/**
 * Creates a look at many emails through pages of the list, newest first, which skips emails that are newer than
 * all of these. It returns the ids of those whose status needs no other look; undefined if the list is not worth
 * it. An email with several recipients, and one that has failed, needs its own history.
 */
function createListLook({ call }: Pick<Context, 'call'>, waiting: Waiting, until: string) {
  const limit = limits.emailsPerPage.max;
  /** Pages up to the last one of these emails, as it was at the last look. */
  let depth = 0;
  let newest: number | undefined;
  let isOffered = true;
  let looks = 0;

  const fetch = async (page: number) =>
    await waiting.look(async (options) => {
      const bound = newest === undefined ? {} : { endDate: new Date(newest + 1).toISOString() };
      try {
        return (await call('email.list', { query: { page, limit, ...bound } }, options)).data;
      } catch (error) {
        // A service without a list, or a key that may not read it, may still show single emails.
        if (isTransient(error) || !(error instanceof MailerError)) throw error;
        isOffered = false;
        return [];
      }
    });

  return async (
    open: readonly Followed[],
    found: (now: Followed, before: Followed) => void,
  ): Promise<ReadonlySet<string> | undefined> => {
    const wanted = new Map(
      open.filter(({ sentTo }) => sentTo?.length === 1).map((one) => [one.id, one]),
    );
    if (!isOffered || wanted.size < Math.max(enoughToList, depth)) return undefined;
    const seen = new Set<string>();
    const created: number[] = [];
    let doubted = ++looks > patientLooks ? 0 : mostDoubted;
    for (let page = 1, without = 0; wanted.size > 0 && without < mostWithout; page++) {
      if (waiting.left() <= -lastLook) break;
      const emails = await fetch(page);
      if (emails === undefined) break;
      without++;
      for (const listed of emails) {
        const before = wanted.get(listed.id);
        if (before === undefined) continue;
        wanted.delete(listed.id);
        created.push(Date.parse(listed.createdAt ?? ''));
        without = 0;
        depth = page;
        const outcome = judgeListed(listed, until, before);
        if (outcome === undefined) continue;
        const isStuck = [listed, before.listed].every((one) => one?.latestStatus === 'QUEUED');
        if (isStuck && doubted++ < mostDoubted) continue;
        seen.add(listed.id);
        found({ ...before, listed, outcome }, before);
      }
      if (emails.length < limit) break;
    }
    const last = Math.max(...created);
    newest = Number.isNaN(last) || created.length === 0 ? undefined : last;
    return seen;
  };
}

function withCopies({ sentTo = [] }: SentTo, copies: Copies) {
  const { cc, bcc } = copies;
  return { copies, sentTo: [...new Set([...sentTo, ...addressees({ cc, bcc })])] };
}

/** The error for a reply with another email, which says nothing about this one. */
function anotherEmail(shown: string, asked: string): BadReplyError {
  return new BadReplyError(
    `Asked for email ${asked}, the service returned ${JSON.stringify(shown)}.`,
  );
}

/** Whether an email may still reach the status. */
export function isUndecided({ outcome }: Followed): boolean {
  return outcome.kind === 'open';
}
