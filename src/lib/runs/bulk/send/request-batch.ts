import { operations } from '../../../../api/operations.ts';
import { BadReplyError } from '../../../base/errors.ts';
import type { WireReply } from '../../../base/system/wire.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { AnyRequest } from '../../../service/http/build-request.ts';
import type { SendOptions } from '../../../service/http/client.ts';
import type { Exchanged, Unaccepted } from '../../../service/http/outcome.ts';
import { readReply } from '../../../service/http/reply.ts';

const batch = operations['email.batch'];
const single = operations['email.send'];
/** A run uses its keys again, and its journal records each request. */
const runs = { keyIsNew: false, recordsItself: true } as const;

interface BatchRequest extends Pick<SendOptions, 'idempotencyKey' | 'onSend' | 'onResponse'> {
  readonly emails: number;
  /** Whether the only email is sent by itself, and not as a batch of one. */
  readonly alone: boolean;
}

/**
 * Sends the emails in a JSON array, as prepared, of a run with this digest; `turn` resolves when a request may be sent. The value is the ids of the
 * created emails, in order: fewer than emails if the service left some out. A response with more, or with the same id
 * twice, is invalid.
 */
export function requestBatch(
  { send }: Pick<Context, 'send'>,
  turn: () => Promise<void>,
  digest?: string,
) {
  return async (
    body: string | Uint8Array,
    { emails, alone, ...options }: BatchRequest,
  ): Promise<Exchanged<readonly string[]>> => {
    const read = (reply: WireReply, baseUrl: string) => {
      const ids = idsIn(reply, baseUrl, alone);
      const different = new Set(ids).size;
      if (ids.length <= emails && different === ids.length) return ids;
      throw new BadReplyError(
        `The response does not have one id for each email: ${different} for ${emails}.`,
      );
    };
    const request = alone ? ofOne(body) : { method: batch.method, path: batch.path, body };
    const sent = await send(request, read, { ...options, ...runs, turn, digest });
    return alone && sent.outcome !== 'accepted' ? asInBatch(sent) : sent;
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

/** Turns a response to a single email into one to a batch, where its issues have the index 0. */
function asInBatch(unaccepted: Unaccepted): Unaccepted {
  const { problem } = unaccepted;
  if (problem.code !== 'rejected') return unaccepted;
  const issues = problem.issues?.map(({ path, message }) => ({ path: [0, ...path], message }));
  return { ...unaccepted, problem: { ...problem, issues } };
}
