import type { Context } from '../../command/context.ts';
import { toError } from '../../errors.ts';
import { type Clocks, isOfProxy } from '../../http/clocks.ts';
import { alwaysOffered } from '../../http/explain-not-offered.ts';

/** Milliseconds for the HEAD request, retries included. */
const patience = 3000;

/**
 * Asks the service for its time before the first request whose response may be lost: every response shows it.
 * If a gateway drops the HEAD, a GET asks. Throws without a response from the service itself, because every
 * begun request would then seem forgotten.
 */
export async function askTime(
  { send, system }: Pick<Context, 'send' | 'system'>,
  clocks: Clocks,
  turn: () => Promise<void>,
): Promise<void> {
  const { path } = alwaysOffered;
  const ask = async (method: 'HEAD' | 'GET', deadline?: number): Promise<boolean> => {
    const options = { ...clocks.listen(), turn, deadline };
    const asked = await send({ method, path }, () => undefined, options);
    if (asked.outcome === 'accepted') return true;
    const { problem, reply } = asked;
    const isAnswered = reply !== undefined && !isOfProxy(reply);
    if (!isAnswered && (method === 'GET' || system.signal.aborted)) throw toError(problem);
    return isAnswered;
  };
  if (!(await ask('HEAD', system.monotonic() + patience))) await ask('GET');
}
