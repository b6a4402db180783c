import type { Email } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { nextCommand } from '../../command/next-command.ts';
import { stillWaiting } from '../../command/poll.ts';
import { BadReplyError, WaitFailedError, WaitTimeoutError, withHint } from '../../errors.ts';
import {
  type Followed,
  type FollowOptions,
  followEmails,
  isUndecided,
  type ToFollow,
} from './follow.ts';
import type { EmailWait } from './wait-flags.ts';
import { badEndsInWords, lackInWords, openHint, stateInWords } from './wait-words.ts';

type Failure = WaitFailedError | WaitTimeoutError;

/** The outcome of a wait: the email as last fetched, and the failure, unless it reached the status. */
export type Waited =
  | { readonly email: Email; readonly failure?: Failure | undefined }
  | { readonly email: undefined; readonly failure: Failure };

/** Follows an email until it has reached a status or failed, or time is up. */
export async function waitForEmail(
  context: Context,
  emailId: string,
  options: EmailWait,
): Promise<Waited> {
  return await waitFor(
    context,
    { id: emailId },
    { ...options, answered: false, looksUpCopies: true },
  );
}

/** The same for an email just sent: errors say that it was accepted, so that nobody sends it again. */
export async function waitForSent(
  context: Context,
  sent: ToFollow,
  options: EmailWait,
): Promise<Waited> {
  const { emailIdInPath } = await import('../../../api/email.ts');
  if (!emailIdInPath.safeParse(sent.id).success) {
    throw new BadReplyError(
      `The email was accepted, but its id is invalid: ${JSON.stringify(sent.id)}`,
    );
  }
  try {
    return await waitFor(context, sent, { ...options, answered: true, looksUpCopies: true });
  } catch (error) {
    const again = nextCommand(context, 'email', 'get', sent.id, `--wait=${options.until}`);
    throw withHint(error, `The email was accepted: ${sent.id}. To keep waiting: ${again}`);
  }
}

async function waitFor(context: Context, email: ToFollow, options: FollowOptions): Promise<Waited> {
  const { progress, report } = context;
  const { until } = options;
  const look = (now: Followed) => {
    if (now.problem !== undefined) report(stillWaiting(now.problem));
    else if (isUndecided(now)) report(`Waiting for ${until}; now ${stateInWords(now, until)}`);
  };
  const followed = await progress.during(`Waiting for ${until}`, async () =>
    (await followEmails(context, [email], options, look)).get(email.id),
  );
  const end: Followed = followed ?? { ...email, outcome: { kind: 'open' } };
  const { email: seen } = end;
  return seen === undefined
    ? { email: seen, failure: timeIsUp(context, end, until) }
    : { email: seen, failure: failureFrom(context, end, until) };
}

function failureFrom(context: Context, end: Followed, until: string): Failure | undefined {
  switch (end.outcome.kind) {
    case 'reached':
      return undefined;
    case 'bad':
      return badEnd(context, end, until);
    case 'open':
      return timeIsUp(context, end, until);
  }
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
  const words = `The wait timed out: email ${end.id} is ${stateInWords(end, until)}, ${lackInWords(end, until)}.`;
  return new WaitTimeoutError(
    end.problem === undefined ? words : `${words} The last check failed: ${end.problem.message}`,
    { hint: openHint(context, end, until) },
  );
}
