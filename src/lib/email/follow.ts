import type { Email } from '../../api/email.ts';
import type { Context } from '../context.ts';
import { BadReplyError } from '../errors.ts';
import { isPassing, lastLook, longer } from '../poll.ts';
import { judge, type Outcome } from './outcome.ts';
import type { EmailWait } from './wait-flags.ts';

/** An email to follow. */
export interface ToFollow {
  readonly id: string;
  /** Its recipients as bare addresses, where they are known without asking the service. */
  readonly sentTo?: readonly string[];
}

/** How far an email has come that is followed. */
export interface Followed extends ToFollow {
  /** As it was fetched last; undefined until then. */
  readonly email?: Email;
  readonly outcome: Outcome;
  /** Why the last look at it failed, if it did. */
  readonly problem?: Error;
}

export interface FollowOptions extends EmailWait {
  /** Whether the service has just answered: when it cannot be reached now, then only for a while. */
  readonly answered: boolean;
}

// Emails move within seconds, faster than domains and campaigns.
const firstPause = 500;
const longestPause = 10_000;

/**
 * Looks at emails, at growing intervals, until all have reached a status or ended badly, or time
 * is up; `kind` is `open` then. What has ended is not asked for again. `report` is told of every
 * look and of what the one before had seen.
 *
 * A service that cannot be reached any more is only another reason to wait; other errors are
 * thrown, and so is that one when the service has not answered yet.
 */
export async function followEmails(
  { call, system }: Pick<Context, 'call' | 'system'>,
  emails: readonly ToFollow[],
  { until, timeout, answered }: FollowOptions,
  report: (now: Followed, before: Followed) => void,
): Promise<ReadonlyMap<string, Followed>> {
  const followed = new Map<string, Followed>(
    emails.map((one) => [one.id, { ...one, outcome: { kind: 'open' } }]),
  );
  const end = system.monotonic() + timeout;
  const deadline = end + lastLook;
  let hasAnswered = answered;

  const look = async (before: Followed): Promise<Followed> => {
    const { id, sentTo } = before;
    try {
      const email = await call('email.get', { params: { emailId: id } }, { deadline });
      hasAnswered = true;
      if (email.id !== id) throw anotherEmail(email.id, id);
      return { id, ...(sentTo && { sentTo }), email, outcome: judge(email, until, sentTo) };
    } catch (error) {
      if (system.signal.aborted || !hasAnswered || !isPassing(error)) throw error;
      return { ...before, problem: error };
    }
  };

  for (let pause = firstPause; ; pause = longer(pause, longestPause)) {
    for (const before of followed.values()) {
      if (before.outcome.kind !== 'open') continue;
      if (system.monotonic() >= deadline) break;
      const now = await look(before);
      report(now, before);
      if (now.problem === undefined) {
        followed.set(now.id, now);
      } else {
        // The others would fare no better now, and are asked for first the next time.
        followed.delete(now.id);
        followed.set(now.id, now);
        break;
      }
    }
    const left = end - system.monotonic();
    if (left <= 0 || ![...followed.values()].some(isOpen)) return followed;
    await system.sleep(Math.min(pause, left), system.signal);
  }
}

/** What became of another email says nothing of this one. */
function anotherEmail(shown: string, asked: string): BadReplyError {
  return new BadReplyError(
    `Asked for email ${asked}, the service answered with ${JSON.stringify(shown)}.`,
  );
}

/** Whether an email may still get where it is awaited. */
export function isOpen({ outcome }: Followed): boolean {
  return outcome.kind === 'open';
}
