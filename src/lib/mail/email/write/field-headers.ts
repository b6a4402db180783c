import type { SendBody } from '../../../../api/email.ts';
import { UsageError } from '../../../base/errors.ts';
import { sendFlagOf } from './send-flags.ts';

/** Headers that a field of the request sets, by their names in lower case. */
const fieldOf: ReadonlyMap<string, keyof SendBody> = new Map([
  ...(['to', 'cc', 'bcc', 'from', 'subject'] as const).map((name) => [name, name] as const),
  ['reply-to', 'replyTo'],
]);

/**
 * Throws a `UsageError` for a header that another field of the request sets: services accept it but ignore
 * it. `headers` may have any type. `name` is their name in the message.
 */
export function refuseFieldHeaders(headers: unknown, name: string): void {
  if (typeof headers !== 'object' || headers === null) return;
  const header = Object.keys(headers).find((one) => fieldOf.has(one.toLowerCase()));
  const field = header === undefined ? undefined : fieldOf.get(header.toLowerCase());
  if (header === undefined || field === undefined) return;
  const instead = name === sendFlagOf.headers ? sendFlagOf[field] : `the field ${field}`;
  throw new UsageError(`${name}: services ignore a header ${header}; use ${instead}`);
}
