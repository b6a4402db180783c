import { AuthError, MailerError, NotFoundError, withHint } from '../errors.ts';
import type { System } from '../system/system.ts';
import type { WireReply } from '../system/wire.ts';
import type { Client } from './client.ts';
import { alwaysOffered } from './explain-not-offered.ts';
import { aboutBlocking, aboutKey, parseJson } from './reply.ts';

/** Milliseconds for the requests that explain an error, retries included. */
const patience = 3000;

/**
 * Tells whether a rejected send is about the key or about a blocked account; the response is the
 * same for both. Asks for the account's newest state, or if the service has no such endpoint, for
 * something that any key may read. `history` is the command that shows the states.
 */
export async function explainForbidden(
  error: unknown,
  client: () => Promise<Client>,
  { monotonic, baseUrl, history }: Pick<System, 'monotonic'> & Explaining,
): Promise<unknown> {
  if (!(error instanceof AuthError)) return error;
  const { hint = '' } = error.details;
  const blame = aboutKey(baseUrl) + aboutBlocking;
  if (!hint.includes(blame)) return error;
  const said = await whatIsKnown(await client(), monotonic() + patience, history);
  return said === undefined
    ? error
    : withHint(
        error,
        hint.replace(blame, () => said),
      );
}

interface Explaining {
  readonly baseUrl: string;
  readonly history: string;
}

async function whatIsKnown(client: Client, deadline: number, history: string) {
  try {
    const newest = await client.call('reputation.events', { query: { limit: 1 } }, { deadline });
    return newest[0]?.toState === 'BLOCKED'
      ? `The key is valid, but the account is blocked. Ask the operator of the service. To see since when and why: ${history}`
      : 'The key is valid and the account is not blocked: the key may be restricted to another domain. To list its domains: mailer whoami';
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    if (!(error instanceof NotFoundError)) return undefined;
  }
  const isJson = ({ body }: WireReply) => parseJson(body) !== undefined;
  const asked = await client.send(alwaysOffered, isJson, { deadline });
  return asked.outcome === 'accepted' && asked.value
    ? 'The key is valid. The account may be blocked: ask the operator of the service. Or the key may be restricted to another domain. To list its domains: mailer whoami'
    : undefined;
}
