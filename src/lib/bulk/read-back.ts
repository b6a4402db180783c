import type { Context } from '../context.ts';
import { BadReplyError, MailerError, NotFoundError, RejectedError, UsageError } from '../errors.ts';
import type { TakenEmail } from './match-in-order.ts';

/** Reads an email that the service took, by its id. */
export type ReadBack = (id: string) => Promise<TakenEmail>;

/**
 * Reads emails back, each request in its `turn`. One that the service does not show, or not so that
 * it can be read, is undefined: another try would not change that. Throws what a later try may: the
 * network, a rate limit, a key.
 */
export function createReadBack(context: Context, turn: () => Promise<void>): ReadBack {
  return async (id) => {
    try {
      return await context.call('email.get', { params: { emailId: id } }, { turn });
    } catch (error) {
      if (isForGood(error)) return undefined;
      throw error;
    }
  };
}

function isForGood(error: unknown): boolean {
  if (!(error instanceof MailerError) || error.mayBeOfProxy) return false;
  // An id that cannot be asked for; an answer without what an email has.
  if (error instanceof UsageError) return true;
  if (error instanceof BadReplyError) return error.details.issues !== undefined;
  return error instanceof NotFoundError || error instanceof RejectedError;
}
