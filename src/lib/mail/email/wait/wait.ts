import type { Email } from '../../../../api/email.ts';
import {
  BadReplyError,
  type MailerError,
  WaitFailedError,
  withHint,
} from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import {
  type Followed,
  type FollowOptions,
  followEmails,
  isUndecided,
  type ToFollow,
} from './follow.ts';
import type { EmailWait } from './wait-flags.ts';
import {
  badEndsInWords,
  describeMissing,
  lastStatus,
  openHint,
  stateInWords,
} from './wait-words.ts';

/** The outcome of a wait: the email as last fetched, and the failure, unless it reached the status. */
export type Waited =
  | { readonly email: Email; readonly failure?: MailerError | undefined }
  | { readonly email: undefined; readonly failure: MailerError };

/** Follows an email until it has reached a status or failed, or time is up. */
export async function waitForEmail(
  context: Context,
  emailId: string,
  options: EmailWait,
): Promise<Waited> {
  return await waitFor(context, { id: emailId }, { ...options, answered: false, areBatch: false });
}

/** The same for an email just sent: errors say that it was accepted, so that nobody sends it again. */
export async function waitForSent(
  context: Context,
  sent: ToFollow,
  options: EmailWait,
): Promise<Waited> {
  const { emailIdInPath } = await import('../../../../api/email.ts');
  if (!emailIdInPath.safeParse(sent.id).success) {
    throw new BadReplyError(
      `The email was accepted, but its id is invalid: ${JSON.stringify(sent.id)}`,
    );
  }
  try {
    return await waitFor(context, sent, { ...options, answered: true, areBatch: false });
  } catch (error) {
    const again = nextCommand(context, 'email', 'get', sent.id, `--wait=${options.until}`);
    throw withHint(error, `The email was accepted: ${sent.id}. To keep waiting: ${again}`);
  }
}

async function waitFor(context: Context, email: ToFollow, options: FollowOptions): Promise<Waited> {
  const { progress } = context;
  const { until } = options;
  const inWords = (now: Followed) => `Waiting for ${until}; now ${stateInWords(now, until)}`;
  const { followed, waiting } = await progress.during(`Waiting for ${until}`, () =>
    followEmails(context, [email], options, {
      look: (now, _, waiting) => {
        if (isUndecided(now)) waiting.report(inWords(now));
      },
      now: ([now]) => (now === undefined ? '' : `now ${stateInWords(now, until)}`),
    }),
  );
  const end = followed.get(email.id) ?? { ...email, outcome: { kind: 'open' } };
  const { email: seen } = end;
  if (end.outcome.kind === 'bad' && seen !== undefined) {
    return { email: seen, failure: badEnd(context, end, until) };
  }
  if (end.outcome.kind === 'reached' && seen !== undefined) return { email: seen };
  const failure = waiting.timeIsUp({
    name: `email ${end.id}`,
    last: lastStatus(end, until),
    state: `${stateInWords(end, until)}, ${describeMissing(end, until)}`,
    hint: openHint(context, end, until),
  });
  return seen === undefined ? { email: seen, failure } : { email: seen, failure };
}

function badEnd(context: Context, end: Followed, until: string): WaitFailedError {
  const [first, ...others] = badEndsInWords(end).map(({ what, why }, index) =>
    [`${what}${index === 0 ? `, not ${until}` : ''}`, why].filter((part) => part !== '').join(': '),
  );
  return new WaitFailedError([`Email ${end.id} is ${first}`, ...others].join('\n'), {
    hint: `Its history: ${nextCommand(context, 'email', 'get', end.id)}`,
  });
}
