import { MailerError, RateLimitedError } from '../../base/errors.ts';
import type { WireReply } from '../../base/system/wire.ts';
import type { Context } from '../command/context.ts';

/** The result of a request to the service. */
export interface ServiceProbe {
  /** The last response, whatever its content; undefined if there was none. */
  readonly reply: WireReply | undefined;
  /** When it arrived, by this machine's clock: milliseconds since 1970. */
  readonly at: number;
  /** Undefined if the request was accepted. */
  readonly error: MailerError | undefined;
}

/** The longest pause that is accepted when the service limits the rate, in milliseconds. */
const longestPause = 5_000;

/** Makes a call that any key may make, also without a key. Repeats it if the rate is limited for a moment. */
export async function probeService(
  { clientFor, system }: Context,
  credentials: { readonly baseUrl: string; readonly apiKey: string | undefined },
): Promise<ServiceProbe> {
  let reply: WireReply | undefined;
  let at = system.now();
  const onResponse = (one: WireReply) => {
    reply = one;
    at = system.now();
  };
  try {
    const client = await clientFor(credentials);
    const call = async () => await client.call('domain.list', {}, { onResponse });
    await call().catch(async (error: unknown) => {
      const pause = Number(reply?.headers['retry-after']) * 1000;
      if (!(error instanceof RateLimitedError) || !(pause <= longestPause)) throw error;
      await system.sleep(pause, system.signal);
      await call();
    });
    return { reply, at, error: undefined };
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    return { reply, at, error };
  }
}
