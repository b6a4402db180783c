import type { Context } from '../context.ts';
import { MailerError } from '../errors.ts';
import type { WireReply } from '../wire.ts';

/** What came of asking the service. */
export interface Answer {
  /** The last answer over the wire, whatever it says; undefined when none came. */
  readonly reply: WireReply | undefined;
  /** When it came, by this machine's clock: milliseconds since 1970. */
  readonly at: number;
  /** Undefined when it was what it should be. */
  readonly error: MailerError | undefined;
}

/** Makes the one call that any key may make; without a key, it shows that the service is there. */
export async function ask(
  { clientFor, system }: Context,
  credentials: { readonly baseUrl: string; readonly apiKey: string | undefined },
): Promise<Answer> {
  let reply: WireReply | undefined;
  let at = system.now();
  const heard = (one: WireReply) => {
    reply = one;
    at = system.now();
  };
  try {
    const client = await clientFor(credentials, heard);
    await client.call('domain.list', {});
    return { reply, at, error: undefined };
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    return { reply, at, error };
  }
}
