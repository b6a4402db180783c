import { MailerError } from '../../../base/errors.ts';
import { sayingHowFar } from '../../../command-line/command/after-sending.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { sameCommand } from '../../../command-line/command/repeat-command.ts';
import { howFar } from '../journal/counts.ts';
import { JournalError } from '../journal/journal-error.ts';
import { resumeCommand } from '../journal/named-run.ts';
import type { OpenRun } from '../journal/run-store.ts';

/**
 * Adds to an error how far the run is, and how to resume it; `isWhole` is true for a command line that could
 * also start the run.
 */
export function withProgress(
  thrown: unknown,
  { name, journal, header }: OpenRun,
  { sending, isWhole }: { readonly sending: number; readonly isWhole: boolean },
  context: Context,
): unknown {
  // The counts of a damaged journal mean nothing.
  if (!(thrown instanceof MailerError) || thrown instanceof JournalError) return thrown;
  const yes = context.flags.yes === true ? ['--yes'] : [];
  const resume = resumeCommand(context, name, ...yes);
  // It names the sending and repeats no decision, so that it can do nothing else.
  const decided = ['--again', '--resend-unknown', '--same-account'];
  const { line, needs } = sameCommand(context, decided, againFlag(sending));
  const whole = isWhole ? `\nOr run the same command again${needs}:\n${line}` : '';
  // The journal has the emails without a response; they are sent again under the same keys.
  const far = `${howFar(journal.counts(), header, ' so far')}. To resume without sending anything twice:`;
  return sayingHowFar(thrown, `${far}\n${resume}${whole}`);
}

/** Shown if nothing of a run is left. */
export function alreadyComplete(sending: number): string {
  const [next] = againFlag(sending + 1);
  return `This run is already complete; nothing was sent. To send the whole file again: email batch with ${next}`;
}

/** The flag that names a sending: none for the first. */
function againFlag(sending: number): string[] {
  return sending === 1 ? [] : [`--again=${sending}`];
}
