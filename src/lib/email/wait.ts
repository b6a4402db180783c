import type { Email } from '../../api/email.ts';
import type { Context } from '../context.ts';
import { BadReplyError, MailerError, WaitFailedError, WaitTimeoutError } from '../errors.ts';
import { nextCommand } from '../next-command.ts';
import { type Followed, type FollowOptions, followEmails, type ToFollow } from './follow.ts';
import type { WaitOptions } from './wait-flags.ts';
import { badEndsInWords, lackInWords, stateInWords } from './wait-words.ts';

/**
 * Follows an email until it has reached a status. Throws a `WaitFailedError` when it ends badly
 * instead, and a `WaitTimeoutError` when time is up.
 */
export async function waitForEmail(
  context: Context,
  emailId: string,
  options: WaitOptions,
): Promise<Email> {
  return await waitFor(context, { id: emailId }, { ...options, answered: false });
}

/**
 * The same for an email that has just been sent: when following it fails, the error says that it
 * was accepted, so that nobody sends it again.
 */
export async function waitForSent(
  context: Context,
  sent: ToFollow,
  options: WaitOptions,
): Promise<Email> {
  const { pathId } = await import('../../api/fields.ts');
  if (!pathId.safeParse(sent.id).success) {
    throw new BadReplyError(
      `The email was accepted, but under an id that cannot be asked for: ${JSON.stringify(sent.id)}`,
    );
  }
  try {
    return await waitFor(context, sent, { ...options, answered: true });
  } catch (error) {
    const saysSo = error instanceof WaitFailedError || error instanceof WaitTimeoutError;
    if (error instanceof MailerError && !saysSo) {
      const again = nextCommand(context, 'email', 'get', sent.id, `--wait=${options.until}`);
      const hint = `The email was accepted, as ${sent.id}. To go on waiting: ${again}`;
      error.details = { ...error.details, hint };
    }
    throw error;
  }
}

async function waitFor(context: Context, email: ToFollow, options: FollowOptions): Promise<Email> {
  const { progress } = context;
  const { until } = options;
  const report = (now: Followed) => {
    progress.update(
      now.problem === undefined
        ? `Waiting for ${until}; now ${stateInWords(now, until)}`
        : `${now.problem} Still waiting.`,
    );
  };
  const followed = await progress.during(`Waiting for ${until}`, async () =>
    (await followEmails(context, [email], options, report)).get(email.id),
  );
  const end = followed ?? { ...email, outcome: { kind: 'open' } };
  if (end.email !== undefined && end.outcome.kind === 'reached') return end.email;
  throw end.outcome.kind === 'bad' ? badEnd(context, end, until) : timeIsUp(context, end, until);
}

function badEnd(context: Context, end: Followed, until: string): WaitFailedError {
  const [first, ...others] = badEndsInWords(end).map(({ what, why }, index) =>
    [`${what}${index === 0 ? `, not ${until}` : ''}`, why].filter((part) => part !== '').join(': '),
  );
  return new WaitFailedError([`Email ${end.id} is ${first}`, ...others].join('\n'), {
    hint: `Its history: ${nextCommand(context, 'email', 'get', end.id)}`,
  });
}

function timeIsUp(context: Context, end: Followed, until: string): WaitTimeoutError {
  const words = `Email ${end.id} is ${stateInWords(end, until)}, ${lackInWords(end, until)}, when time is up.`;
  return new WaitTimeoutError(
    end.problem === undefined ? words : `${words} The last look failed: ${end.problem}`,
    {
      hint: `To go on waiting: ${nextCommand(context, 'email', 'get', end.id, `--wait=${until}`)}`,
    },
  );
}
