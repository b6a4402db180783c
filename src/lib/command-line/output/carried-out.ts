import { type MailerError, problemOf, toError } from '../../base/errors.ts';
import { maxNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import { visible } from '../../base/text/visible.ts';
import { type CarriedOut, linesOf, type Result } from './result.ts';

/** How far a command is that may have changed something. */
export interface HowFar extends CarriedOut {
  /** The failure of the result, which is more important than an error while it is shown. */
  readonly failure?: MailerError | undefined;
  /** Whether there is a result, so that any error is about showing it. */
  readonly isShowing: boolean;
}

/** What a result says was carried out; undefined if it does not say. */
export function carriedOut(result: Result): CarriedOut | undefined {
  if (result.kind !== 'done') return result.carriedOut;
  const { ids, message: next, carriedOut, isNothing } = result;
  return isNothing === true ? undefined : { ids, next: linesOf(next).join('\n'), ...carriedOut };
}

/**
 * The error to report if a command fails after it has changed something: one that says so, since other codes
 * mean that nothing was sent.
 */
export function afterChange(error: MailerError, progress: HowFar): MailerError {
  const { ids: done = [], run, next, failure, isShowing } = progress;
  const ids = done.length === 0 ? undefined : done;
  if (failure !== undefined) {
    const { hint, ...problem } = problemOf(failure);
    const hints = [hint, `The result cannot be shown: ${error.message}`].filter(Boolean);
    return toError({ ...problem, ids, run, hint: hints.join('\n') });
  }
  const isOwn = /^(usage|policy|internal)$/.test(error.code);
  if (!isShowing && (!isOwn || error.details.exitCode !== undefined)) return error;
  const message = `${inWords(progress)} ${isShowing ? 'The result cannot be shown' : 'Then an error occurred'}: ${error.message}`;
  // Its hint would be to run the command again.
  const own = error.code === 'internal' ? undefined : error.details.hint;
  const again = isShowing
    ? 'Do not run the command again.'
    : 'Check what was carried out before you run the command again.';
  const hint =
    [...(isShowing ? [again] : []), next, own, ...(isShowing ? [] : [again])]
      .filter(Boolean)
      .join('\n') || undefined;
  return toError({ ...problemOf(error), code: 'output_failed', message, ids, run, hint });
}

/** What was carried out, as a sentence. */
export function inWords({ what, ids = [] }: CarriedOut): string {
  if (what !== undefined) return what;
  const named = withOverflowCount(ids.slice(0, maxNames).map(visible), ids.length);
  return ids.length === 0
    ? 'The command was carried out.'
    : `The command was carried out: ${named.join(', ')}.`;
}
