import type { Context } from '../../command/context.ts';
import { sameCommand } from '../../command/repeat-command.ts';
import { MailerError, problemOf, toError, UsageError } from '../../errors.ts';
import { type Counts, howFar } from '../journal/counts.ts';
import type { RunHeader } from '../journal/header.ts';
import { JournalError } from '../journal/journal-error.ts';
import { resumeCommand } from '../journal/named-run.ts';

/** How far a run is. */
interface HowFar {
  readonly counts: Counts;
  readonly header: Pick<RunHeader, 'emails'>;
  readonly sending: number;
  /** The name of the run's directory. */
  readonly directory: string;
  /** Whether the command line could begin the run, too, and not only resume it. */
  readonly isWhole: boolean;
}

/** Says how far the run is, and how to resume it. */
export function withProgress(
  thrown: unknown,
  { counts, header, sending, directory, isWhole }: HowFar,
  context: Context,
): unknown {
  // What a damaged journal says is no progress.
  if (!(thrown instanceof MailerError) || thrown instanceof JournalError) return thrown;
  // Which emails have no answer is in the journal; they go out under the same keys again.
  const { idempotencyKey, ...problem } = problemOf(thrown);
  // That of a request whose outcome is open says how to repeat it by hand.
  const keepsHint =
    idempotencyKey === undefined && (problem.status !== undefined || thrown instanceof UsageError);
  const own = keepsHint && problem.hint !== undefined ? [problem.hint] : [];
  const yes = context.flags.yes === true ? ['--yes'] : [];
  const resume = resumeCommand(context, directory, ...yes);
  const { line, needs } = lineThatGoesOn(context, sending);
  const whole = isWhole ? `\nOr run the same command again${needs}:\n${line}` : '';
  const hint = [
    ...own,
    `${howFar(counts, header.emails, ' so far')}. To resume; nothing is sent twice:\n${resume}${whole}`,
  ].join(own.some((said) => !said.endsWith('.')) ? '\n' : ' ');
  return toError({ ...problem, hint });
}

/**
 * The line that goes on with a run, and can do nothing else: it names the sending, and does not
 * decide once more what has been decided.
 */
function lineThatGoesOn(context: Context, sending: number) {
  const decided = ['--again', '--resend-unknown', '--same-account'];
  return sameCommand(context, decided, againFlag(sending));
}

/** What names a sending: nothing for the first. */
export function againFlag(sending: number): string[] {
  return sending === 1 ? [] : [`--again=${sending}`];
}

/** An error once emails may have gone out: no code then says that nothing was sent. */
export function afterSending(thrown: unknown): unknown {
  return thrown instanceof UsageError ? toError({ ...problemOf(thrown), code: 'partial' }) : thrown;
}
