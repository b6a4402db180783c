import { operations } from '../../../api/operations.ts';
import type { Context } from '../../command/context.ts';
import { BadReplyError, RejectedError } from '../../errors.ts';
import { readReply } from '../../http/reply.ts';
import type { AnyRequest } from '../../http/request.ts';
import type { WireReply } from '../../system/wire.ts';
import type { SendBatch } from './send-parts.ts';

const batch = operations['email.batch'];
const single = operations['email.send'];

/**
 * Sends emails that have been checked already, as the bytes that were prepared; `turn` resolves
 * when a request may leave. The reply may hold fewer ids than emails, and says nothing of the others
 * then; more, or the same one twice, are a `BadReplyError`.
 */
export function requestBatch(context: Context, turn: () => Promise<void>): SendBatch {
  return async (body, { emails, alone, ...options }) => {
    const ids = await context
      .send(
        alone ? ofOne(body) : { method: batch.method, path: batch.path, body },
        (reply, baseUrl) => idsIn(reply, baseUrl, alone),
        { ...options, keyIsNew: false, turn },
      )
      .catch((error: unknown) => {
        throw alone ? asInBatch(error) : error;
      });
    const different = new Set(ids).size;
    if (ids.length <= emails && different === ids.length) return ids;
    const error = new BadReplyError(
      `The answer does not hold one id for each email: ${different} for ${emails}.`,
    );
    error.outcomeUnknown = true;
    throw error;
  };
}

/** The request of the only email in a JSON array. */
function ofOne(array: string | Uint8Array): AnyRequest {
  const body = typeof array === 'string' ? array.slice(1, -1) : array.subarray(1, -1);
  return { method: single.method, path: single.path, body };
}

function idsIn(reply: WireReply, baseUrl: string, alone: boolean): readonly string[] {
  if (alone) return [readReply(reply, single, baseUrl).emailId];
  return readReply(reply, batch, baseUrl).data.map(({ emailId }) => emailId);
}

/** What the service says of the only email, as it would of the first of a batch. */
function asInBatch(error: unknown): unknown {
  if (!(error instanceof RejectedError)) return error;
  const issues = error.details.issues?.map(({ path, message }) => ({
    path: [0, ...path],
    message,
  }));
  error.details = { ...error.details, issues };
  return error;
}
