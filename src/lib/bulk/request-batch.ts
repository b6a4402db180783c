import { operations } from '../../api/operations.ts';
import type { Context } from '../context.ts';
import { BadReplyError } from '../errors.ts';
import { readReply } from '../reply.ts';
import type { SendBatch } from './send-parts.ts';

const operation = operations['email.batch'];

/**
 * Sends emails that have been checked already, as the bytes that were prepared; `turn` resolves
 * when a request may leave. The reply must hold an id for each email, as nobody could tell which
 * were accepted otherwise.
 */
export function requestBatch(context: Context, turn: () => Promise<void>): SendBatch {
  const { method, path } = operation;
  // Bun's sockets are others.
  const tells = context.system.node.bun === undefined;
  return async (body, { emails, idempotencyKey, deadline, leaves }) => {
    const { data, bytesHaveLeft } = await context.send(
      { method, path, body },
      (reply, baseUrl) => {
        const { data } = readReply(reply, operation, baseUrl);
        return { data, bytesHaveLeft: reply.bytesHaveLeft === true && tells };
      },
      { idempotencyKey, keyIsNew: false, deadline, turn, leaves },
    );
    const ids = data.map(({ emailId }) => emailId);
    const different = new Set(ids).size;
    if (ids.length === emails && different === emails) return { ids, bytesHaveLeft };
    const error = new BadReplyError(
      `The answer does not hold one id for each email: ${different} for ${emails}.`,
    );
    error.outcomeUnknown = true;
    throw error;
  };
}
