import type { Email } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { isPassing, lastLook, longerPause } from '../../command/poll.ts';
import { BadReplyError, MailerError } from '../../errors.ts';
import { type Copies, lacksCopies, listedCopies } from '../copies.ts';
import { judge, type Outcome } from '../outcome.ts';
import { addressees, type SentTo } from '../recipients.ts';
import type { EmailWait } from './wait-flags.ts';

/** An email to follow, and its recipients if they are known without asking the service. */
export interface ToFollow extends SentTo {
  readonly id: string;
}

/** The state of an email that is followed. */
export interface Followed extends ToFollow {
  /** As last fetched; undefined before. */
  readonly email?: Email;
  readonly outcome: Outcome;
  /** Its copies, once they have been looked up in the list. */
  readonly copies?: Copies;
  /** Why the last request for it failed, if it did. */
  readonly problem?: Error;
}

export interface FollowOptions extends EmailWait {
  /** Whether the service has just responded, so that a failed connection is probably temporary. */
  readonly answered: boolean;
  /** Whether to look up copies in the list if the email's own reply omits them. */
  readonly looksUpCopies: boolean;
}

// Emails move within seconds, faster than domains and campaigns.
const firstPause = 500;
const longestPause = 10_000;

/**
 * Polls emails, at growing intervals, until each has reached a status or failed, or time is up, when
 * `kind` is still `open`. Decided emails are not fetched again. `report` gets each state and the one
 * before. Keeps waiting if the service can no longer be reached; throws that error if the service has
 * never responded, and all other errors.
 */
export async function followEmails(
  { call, system }: Pick<Context, 'call' | 'system'>,
  emails: readonly ToFollow[],
  { until, timeout, answered, looksUpCopies }: FollowOptions,
  report: (now: Followed, before: Followed) => void,
): Promise<ReadonlyMap<string, Followed>> {
  const followed = new Map<string, Followed>(
    emails.map((one) => [one.id, { ...one, outcome: { kind: 'open' } }]),
  );
  const end = system.monotonic() + timeout;
  const deadline = end + lastLook;
  let hasAnswered = answered;

  const lookUpCopies = async (email: Email, { sentTo, cc = [], bcc = [] }: SentTo) => {
    // Known to have been sent without copies.
    const mayHaveSome = sentTo === undefined || cc.length + bcc.length > 0;
    if (!looksUpCopies || !lacksCopies(email) || !mayHaveSome) return undefined;
    try {
      return await listedCopies({ call }, email, { deadline });
    } catch (error) {
      // A rejected list request says nothing about the email.
      if (isPassing(error) || !(error instanceof MailerError && error.details.status)) throw error;
      return {};
    }
  };

  const look = async (before: Followed): Promise<Followed> => {
    const { id } = before;
    let { email } = before;
    try {
      email = await call('email.get', { params: { emailId: id } }, { deadline });
      hasAnswered = true;
      if (email.id !== id) throw anotherEmail(email.id, id);
      const copies = before.copies ?? (await lookUpCopies(email, before));
      const { problem: _, ...known } = { ...before, ...(copies && withCopies(before, copies)) };
      return { ...known, email, outcome: judge({ ...copies, ...email }, until, known) };
    } catch (error) {
      if (system.signal.aborted || !hasAnswered || !isPassing(error)) throw error;
      return { ...before, ...(email && { email }), problem: error };
    }
  };

  for (let pause = firstPause; ; pause = longerPause(pause, longestPause)) {
    for (const before of followed.values()) {
      if (before.outcome.kind !== 'open') continue;
      if (system.monotonic() >= deadline) break;
      const now = await look(before);
      report(now, before);
      // After a failure the other requests would probably fail too; they come first the next time.
      if (now.problem !== undefined) followed.delete(now.id);
      followed.set(now.id, now);
      if (now.problem !== undefined) break;
    }
    const left = end - system.monotonic();
    if (left <= 0 || ![...followed.values()].some(isUndecided)) return followed;
    await system.sleep(Math.min(pause, left), system.signal);
  }
}

function withCopies({ sentTo = [] }: SentTo, copies: Copies) {
  return { copies, sentTo: [...new Set([...sentTo, ...addressees(copies)])] };
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
