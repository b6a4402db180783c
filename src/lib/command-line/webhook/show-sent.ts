import { WaitFailedError } from '../../base/errors.ts';
import { type RecordResult, record } from '../output/result.ts';
import { type HandlerResponse, keptCharacters } from './send-call.ts';
import type { SentCall } from './webhook-shapes.ts';

/** A call and its response, with a failure if the service would count it as failed. */
export function showSent(
  call: Pick<SentCall, 'id' | 'type' | 'url' | 'attempt'>,
  { delivered, status, milliseconds, response: whole }: HandlerResponse,
): RecordResult {
  const { id, type, url, attempt } = call;
  const response = whole.slice(0, keptCharacters);
  const what = status === null ? response : `It responded with ${status}.`;
  return record({
    reply: { id, type, url, attempt, delivered, status, milliseconds, response } satisfies SentCall,
    rows: [
      ['id', 'Call', id],
      ['type', 'Event', type],
      ['url', 'Handler', url],
      ['attempt', 'Attempt', attempt],
      ['status', 'Status', status],
      ['milliseconds', 'Milliseconds', milliseconds],
      ['response', 'Response', status === null ? '' : response],
    ],
    quiet: id,
    failure: delivered
      ? undefined
      : new WaitFailedError(`The handler did not accept the call. ${what}`, {
          hint: 'Any status from 200 to 299 within ten seconds accepts it.',
        }),
  });
}
