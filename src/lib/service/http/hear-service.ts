import { toError } from '../../base/errors.ts';
import type { Client, SendOptions } from './client.ts';
import { isOfProxy } from './clocks.ts';
import { alwaysOffered } from './explain-not-offered.ts';

/** Sends a request only for what each response shows. Throws if the service itself does not respond. */
export async function hearService(
  { send }: Pick<Client, 'send'>,
  { method, ...options }: SendOptions & { readonly method: 'GET' | 'HEAD' },
): Promise<void> {
  const asked = await send({ ...alwaysOffered, method }, () => undefined, options);
  if (asked.outcome === 'accepted') return;
  const { problem, reply } = asked;
  if (reply === undefined || isOfProxy(reply)) throw toError(problem);
}
