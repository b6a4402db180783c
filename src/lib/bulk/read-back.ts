import type { Context } from '../context.ts';
import { BadReplyError, MailerError, NotFoundError, RejectedError, UsageError } from '../errors.ts';
import type { TakenEmail } from './match-in-order.ts';

/** Reads an email that the service created, by its id. */
export type ReadBack = (id: string) => Promise<TakenEmail>;

/**
 * Reads emails back, each request in its `turn`. Returns undefined for an email that is not found or
 * cannot be parsed, because a retry would not change that. Throws for failures that a retry may fix:
 * the network, a rate limit, a key.
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
  // An id that does not fit into a path; a response that is not an email.
  if (error instanceof UsageError) return true;
  if (error instanceof BadReplyError) return error.details.issues !== undefined;
  return error instanceof NotFoundError || error instanceof RejectedError;
}
