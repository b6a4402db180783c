import type { Context } from '../../command/context.ts';
import { MailerError } from '../../errors.ts';
import { alwaysOffered } from '../../http/explain-not-offered.ts';
import { type Clocks, isOfProxy } from '../journal/clocks.ts';

/** Milliseconds for the shorter of the two questions, its repetitions included. */
const patience = 3000;

/**
 * Asks the service what time it is, before the first request whose answer may be lost: by then it is
 * too late to ask. Whatever it answers shows its clock. Where nothing of its own comes back to a HEAD,
 * as some gateways drop it, a GET asks. Throws when there is no answer, or only that of a proxy: without
 * the service's time every request begun would seem forgotten.
 */
export async function askTime(
  { send, system }: Pick<Context, 'send' | 'system'>,
  clocks: Clocks,
  turn: () => Promise<void>,
): Promise<void> {
  const { path } = alwaysOffered;
  const ask = async (method: 'HEAD' | 'GET', deadline?: number): Promise<boolean> => {
    try {
      await send({ method, path }, () => undefined, { ...clocks.listen(), turn, deadline });
    } catch (error) {
      const reply = error instanceof MailerError ? error.reply : undefined;
      const isAnswered = reply !== undefined && !isOfProxy(reply);
      if (!isAnswered && (method === 'GET' || system.signal.aborted)) throw error;
      return isAnswered;
    }
    return true;
  };
  if (!(await ask('HEAD', system.monotonic() + patience))) await ask('GET');
}
