import { operations } from '../../api/operations.ts';
import type { Context } from '../context.ts';
import { BadReplyError } from '../errors.ts';
import { readReply } from '../reply.ts';
import type { SendBatch } from './send-parts.ts';

const operation = operations['email.batch'];

/**
 * Sends emails that have been checked already, as the bytes that were prepared. The reply must hold
 * an id for each, as nobody could tell which were accepted otherwise.
 */
export function requestBatch(context: Context, turn: () => Promise<void>): SendBatch {
  const { method, path } = operation;
  return async (body, idempotencyKey, emails) => {
    await turn();
    const { data } = await context.send(
      { method, path, body },
      (reply, baseUrl) => readReply(reply, operation, baseUrl),
      { idempotencyKey, keyIsNew: false },
    );
    const ids = data.map(({ emailId }) => emailId);
    if (ids.length === emails) return ids;
    const error = new BadReplyError(
      `The answer does not hold one id for each email: ${ids.length} for ${emails}.`,
    );
    error.outcomeUnknown = true;
    throw error;
  };
}
