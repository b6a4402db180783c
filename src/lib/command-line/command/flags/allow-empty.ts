import { UsageError } from '../../../base/errors.ts';

/** The flag for jobs that may have nothing to do. */
export const allowEmptyFlag = ['--allow-empty', 'end with 0 if the input has no rows'] as const;

/** The outcome of a run whose input has no rows. */
export const noRows = 'There is nothing to send: the input has no rows.';

/** The error for nothing to do, where the flag does not allow it; `nothing` says what did not happen. */
export function nothingToDo(message: string, nothing: string): UsageError {
  return new UsageError(message, {
    hint: `${nothing} If there may be nothing to do, add --allow-empty.`,
  });
}
