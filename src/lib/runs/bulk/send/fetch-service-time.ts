import type { ReputationStatus } from '../../../../api/reputation.ts';
import { fetchAccountState } from '../../../command-line/command/account-state.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { type Clocks, isOfProxy } from '../../../service/http/clocks.ts';
import { hearService } from '../../../service/http/hear-service.ts';

/**
 * Asks the service for its time before the first request whose response may be lost: every response shows it. The
 * same request asks for the account's state, which is returned if the service tells it. Without a response within
 * a moment, another one asks. Throws without a response from the service itself, because every begun request would
 * then seem forgotten.
 */
export async function fetchServiceTime(
  context: Pick<Context, 'call' | 'send' | 'system'>,
  clocks: Clocks,
  turn: () => Promise<void>,
): Promise<ReputationStatus | undefined> {
  const { onSend, onResponse } = clocks.listen();
  let isAnswered = false;
  const accountState = await fetchAccountState(context, {
    turn,
    onSend,
    onResponse: (reply) => {
      onResponse(reply);
      isAnswered = !isOfProxy(reply);
    },
  });
  if (isAnswered) return accountState;
  context.system.signal.throwIfAborted();
  await hearService(context, { method: 'GET', ...clocks.listen(), turn });
  return undefined;
}
