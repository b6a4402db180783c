import { attempt } from '../../../shared/attempt.ts';
import type { MessageContent } from '../../../shared/check/message.ts';
import { messageOfFields } from '../../../shared/check/message-of-fields.ts';
import { bodyText } from '../../base/system/wire.ts';
import { isObject } from '../../command-line/output/fields.ts';
import type { AnyRequest } from '../../service/http/build-request.ts';
import type { Passed } from '../../service/http/passed.ts';
import { operationOf } from '../../service/http/request-rules.ts';
import { type Around, type Passing, pass } from './gate.ts';

const kinds: Readonly<Record<string, MessageContent['kind']>> = {
  ...{ 'email.send': 'email', 'email.batch': 'email' },
  ...{ 'campaign.create': 'campaign', 'template.create': 'template' },
};

/** Has a request pass the gate that is sent as it is written: what nobody means is only said. */
export async function passRequest(around: Around, request: AnyRequest): Promise<Passed> {
  const kind = kinds[operationOf(request)?.id ?? ''];
  if (kind === undefined) return await passRaw(around, []);
  // What is no JSON is for the service to reject.
  const value: unknown = attempt(() => JSON.parse(bodyText(request.body ?? '')), undefined);
  return await passRaw(around, [value].flat().filter(isObject), { kind });
}

/** Has messages of another program pass the gate. */
export async function passRaw(
  around: Around,
  bodies: readonly object[],
  { kind = 'email', except = [] }: { kind?: MessageContent['kind'] } & Pick<Passing, 'except'> = {},
): Promise<Passed> {
  const written = bodies.map((body) => ({ message: messageOfFields({ ...body }, kind) }));
  return await pass(around, written, { door: 'raw', nothing: 'Nothing was sent.', except });
}
