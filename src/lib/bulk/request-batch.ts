import type { Reply } from '../../api/operations.ts';
import type { Context } from '../context.ts';
import { BadReplyError } from '../errors.ts';
import type { SendBatch } from './send-parts.ts';

/**
 * Sends emails that have been checked already, as the bytes that were prepared. The reply must hold
 * an id for each, as nobody could tell which were accepted otherwise.
 */
export function requestBatch(context: Context, turn: () => Promise<void>): SendBatch {
  return async (json, idempotencyKey, emails) => {
    await turn();
    // Parsed for the check of the contract, which any request passes.
    const body = JSON.parse(json) as never;
    const reply: Reply<'email.batch'> = await context.call(
      'email.batch',
      { body },
      { idempotencyKey, keyIsNew: false },
    );
    const ids = reply.data.map(({ emailId }) => emailId);
    if (ids.length === emails) return ids;
    const error = new BadReplyError(
      `The answer does not hold one id for each email: ${ids.length} for ${emails}.`,
    );
    error.outcomeUnknown = true;
    throw error;
  };
}
