import type { Context } from '../../command/context.ts';
import { toError } from '../../errors.ts';
import { alwaysOffered } from '../../http/explain-not-offered.ts';
import { type Clocks, isOfProxy } from '../journal/clocks.ts';

/** Milliseconds for the shorter of the two questions, its repetitions included. */
const patience = 3000;

/**
 * Asks the service for its time before the first request whose response may be lost: each response shows
 * it. Where a gateway drops a HEAD, a GET asks. Throws without a response of the service itself: every
 * request begun would seem forgotten.
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
