import {
  type MailerError,
  PolicyError,
  problemOf,
  toError,
  UsageError,
} from '../../base/errors.ts';

/**
 * An error about the file of `--results`, which is written after everything else: it tells the outcome in
 * words, and has the code of the command's own failure if there is one.
 */
export function notWritten(
  thrown: unknown,
  {
    outcome,
    failure,
    run,
  }: {
    readonly outcome: string;
    readonly failure: MailerError | undefined;
    /** The name of the bulk run, if it is one. */
    readonly run?: string;
  },
): unknown {
  if (!(thrown instanceof UsageError)) return thrown;
  const { code = 'output_failed' } = failure ?? {};
  const message = `${outcome} ${thrown.message}`;
  return toError({ ...problemOf(thrown), code, run, message });
}

/** An error after something may have been sent: its code must not say that nothing was sent. */
export function afterSending(thrown: unknown): unknown {
  const isRefused = thrown instanceof UsageError || thrown instanceof PolicyError;
  return isRefused ? toError({ ...problemOf(thrown), code: 'partial' }) : thrown;
}

/**
 * An error with how far the work is, and how to continue it. The hint of a request whose outcome is unknown says how to
 * repeat it by hand, so it is dropped.
 */
export function sayingHowFar(thrown: MailerError, howFar: string): MailerError {
  const { idempotencyKey, ...problem } = problemOf(thrown);
  const keepsHint =
    idempotencyKey === undefined && (problem.status !== undefined || thrown instanceof UsageError);
  const own = keepsHint && problem.hint !== undefined ? [problem.hint] : [];
  const hint = [...own, howFar].join(own.some((said) => !said.endsWith('.')) ? '\n' : ' ');
  return toError({ ...problem, hint });
}
