import type { Context } from '../../command/context.ts';
import { sameCommand } from '../../command/repeat-command.ts';
import { MailerError, problemOf, toError, UsageError } from '../../errors.ts';
import { howFar } from '../journal/counts.ts';
import { JournalError } from '../journal/journal-error.ts';
import { resumeCommand } from '../journal/named-run.ts';
import type { OpenRun } from '../journal/run-store.ts';

/**
 * Says how far the run is, and how to resume it; `isWhole` is true for a command line that could begin
 * the run, too, and not only resume it.
 */
export function withProgress(
  thrown: unknown,
  { name, journal, header }: OpenRun,
  { sending, isWhole }: { readonly sending: number; readonly isWhole: boolean },
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
  const resume = resumeCommand(context, name, ...yes);
  const { line, needs } = resumingLine(context, sending);
  const whole = isWhole ? `\nOr run the same command again${needs}:\n${line}` : '';
  const hint = [
    ...own,
    `${howFar(journal.counts(), header, ' so far')}. To resume; nothing is sent twice:\n${resume}${whole}`,
  ].join(own.some((said) => !said.endsWith('.')) ? '\n' : ' ');
  return toError({ ...problem, hint });
}

/**
 * The line that resumes a run, and can do nothing else: it names the sending, and does not
 * decide once more what has been decided.
 */
function resumingLine(context: Context, sending: number) {
  const decided = ['--again', '--resend-unknown', '--same-account'];
  return sameCommand(context, decided, againFlag(sending));
}

/** Said where nothing was left of a run. */
export function alreadyComplete(sending: number): string {
  const [next] = againFlag(sending + 1);
  return `This run is already complete; nothing was sent. To send the whole file again: email batch with ${next}`;
}

/** What names a sending: nothing for the first. */
function againFlag(sending: number): string[] {
  return sending === 1 ? [] : [`--again=${sending}`];
}

/** An error once emails may have gone out: no code then says that nothing was sent. */
export function afterSending(thrown: unknown): unknown {
  return thrown instanceof UsageError ? toError({ ...problemOf(thrown), code: 'partial' }) : thrown;
}
