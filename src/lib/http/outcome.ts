import type { Operation } from '../../api/operation.ts';
import { BadReplyError, MailerError } from '../errors.ts';

/** Adds to an error what somebody needs to know who cannot tell whether a write went through. */
export function withOutcome(
  error: unknown,
  { effect, repeat }: Pick<Operation, 'effect' | 'repeat'>,
  idempotencyKey: string | undefined,
): unknown {
  if (!(error instanceof MailerError)) return error;
  // What only reads has no outcome that anybody could miss.
  if (effect !== 'writes') {
    error.outcomeUnknown = false;
    return error;
  }
  // A 2xx answer that cannot be read: the service has most likely done it.
  if (error instanceof BadReplyError && isSuccess(error.details.status))
    error.outcomeUnknown = true;
  if (!error.outcomeUnknown) return error;
  const hint = [error.details.hint, hintWhenUnknown[repeat]].filter(Boolean).join(' ');
  // Where the service is not known to heed a key, it does not make a repetition safe.
  const safeKey = repeat === 'keyed' ? idempotencyKey : undefined;
  error.details = { ...error.details, idempotencyKey: safeKey, hint };
  return error;
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

const hintWhenUnknown = {
  keyed: 'It may have been accepted all the same. Repeat it only with this idempotency key.',
  harmless: 'It may have been carried out all the same; running the command again does no harm.',
  unsent: 'It may have been carried out all the same. Look before you run the command again.',
} as const;
