import { BadReplyError, withHint } from '../../../base/errors.ts';
import { visible } from '../../../base/text/visible.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import type { Waiting } from '../../../command-line/command/waiting.ts';
import { type Followed, followEmails, type ToFollow } from './follow.ts';
import { type EndOfWait, showFollowed } from './show-followed.ts';
import type { EmailWait } from './wait-flags.ts';
import { badEndsInWords, stateInWords } from './wait-words.ts';

/** Milliseconds that each email of a batch adds to the usual time. */
const perEmail = 1000;

/**
 * Follows emails that were just sent until each has reached a status or failed, or time is up, and lists
 * them in the given order. Errors name the accepted ids, so that nobody sends them again. `shortfall` is a
 * sentence about emails that were not accepted, if any. If a command can `watch` all of them, a
 * failure names it, and counts emails instead of naming their ids.
 */
export async function waitForAll(
  context: Context,
  emails: readonly ToFollow[],
  options: EmailWait,
  { shortfall, watch }: Pick<EndOfWait, 'shortfall' | 'watch'>,
) {
  try {
    await checkIds(emails);
    const { progress, report } = context;
    const { sum, look } = counter(context, emails, options.until);
    const { followed, waiting } = await progress.during(sum(), () => {
      report(sum(), `Accepted ${emails.length} emails.`);
      const timeout = options.timeout + (options.isUsual ? emails.length * perEmail : 0);
      const following = { ...options, timeout, answered: true, areBatch: true };
      return followEmails(context, emails, following, { look, now: sum });
    });
    const rows = emails.map((one) => followed.get(one.id)).filter((one) => one !== undefined);
    const zone = { timeZone: await context.timeZone(), offset: await context.namesOffsets() };
    const ending = { until: options.until, shortfall, watch };
    return { rows, shown: showFollowed(context, { rows, waiting }, zone, ending) };
  } catch (error) {
    const ids = emails.map(({ id }) => visible(id)).join(', ');
    const accepted =
      shortfall === undefined
        ? `All ${emails.length} emails were accepted:`
        : `${shortfall} Those accepted:`;
    const again = nextCommand(context, 'email', 'get', 'ID', `--wait=${options.until}`);
    throw withHint(error, `${accepted} ${ids}. To keep waiting for one of them: ${again}`);
  }
}

async function checkIds(emails: readonly ToFollow[]): Promise<void> {
  const { emailIdInPath } = await import('../../../../api/email.ts');
  const bad = emails.find(({ id }) => !emailIdInPath.safeParse(id).success);
  if (bad === undefined) return;
  throw new BadReplyError(`An email has an invalid id: ${JSON.stringify(bad.id)}`);
}

/** Reports how many have reached the status, or prints a line per change. */
function counter({ progress }: Context, emails: readonly ToFollow[], until: string) {
  const total = new Set(emails.map(({ id }) => id)).size;
  const awaited = until.toLowerCase().replaceAll('_', ' ');
  const count = { reached: 0, bad: 0 };
  const sum = () =>
    `${count.reached} of ${total} ${awaited}${count.bad === 0 ? '…' : `, ${count.bad} failed…`}`;
  return {
    sum,
    look(now: Followed, before: Followed, waiting: Waiting) {
      if (now.outcome.kind !== 'open') count[now.outcome.kind]++;
      const line = lineOf(now, until);
      if (line === lineOf(before, until)) progress.update(sum());
      else waiting.report(sum(), line);
    },
  };
}

function lineOf(followed: Followed, until: string): string {
  const ends = badEndsInWords(followed).map(({ what, why }) =>
    why === '' ? what : `${what}: ${why}`,
  );
  return `${followed.id}: ${ends.length === 0 ? stateInWords(followed, until) : ends.join('; ')}`;
}
