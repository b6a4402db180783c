import {
  AuthError,
  type FailedRequest,
  MailerError,
  NotFoundError,
  withHint,
} from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import type { WireReply } from '../../base/system/wire.ts';
import type { Client } from './client.ts';
import { alwaysOffered, timeToExplain } from './explain-not-offered.ts';
import { missingScope, scopeNames } from './key-scopes.ts';
import { aboutBlocking, aboutKey, parseJson } from './reply.ts';

/**
 * Tells whether a rejected request is about the key, about what the key may do, or about a blocked account; the
 * response is the same for all. `history` is the command that shows the account's states.
 */
export async function explainForbidden(
  error: unknown,
  client: () => Promise<Client>,
  about: Pick<System, 'monotonic'> & Readonly<Record<'baseUrl' | 'history', string>>,
): Promise<unknown> {
  const { monotonic, baseUrl, history } = about;
  if (!(error instanceof AuthError)) return error;
  const { hint = '', request } = error.details;
  if (!hint.includes(aboutKey(baseUrl))) return error;
  const blame = aboutKey(baseUrl) + aboutBlocking;
  const asker = { client: await client(), deadline: monotonic() + timeToExplain };
  const mayBeBlocked = hint.includes(blame);
  const said = await whatIsKnown(asker, { request, mayBeBlocked, history });
  return said === undefined
    ? error
    : withHint(
        error,
        hint.replace(mayBeBlocked ? blame : aboutKey(baseUrl), () => said),
      );
}

interface Asker {
  readonly client: Client;
  readonly deadline: number;
}

interface Rejected {
  readonly request: FailedRequest | undefined;
  /** Only sends are rejected for a blocked account. */
  readonly mayBeBlocked: boolean;
  readonly history: string;
}

/** What the service tells about the key and the account; undefined if it does not accept the key either. */
async function whatIsKnown(
  asker: Asker,
  { request, mayBeBlocked, history }: Rejected,
): Promise<string | undefined> {
  const { client, deadline } = asker;
  const owner = await unlessMissing(client.call('account.get', {}, { deadline }));
  if (owner === 'failed') return undefined;
  const { scopes = undefined } = owner ?? {};
  if (scopes && request !== undefined) {
    const names = scopeNames(scopes);
    const missing = missingScope(names, request);
    const has = names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}`;
    if (missing !== undefined) return `The key is valid, but lacks the scope ${missing}. ${has}`;
  }
  const restricted =
    'the key may be restricted to another domain. To list its domains: mailer whoami';
  if (!mayBeBlocked) return owner && `The key is valid: ${restricted}`;
  const state = await stateNow(asker);
  if (state === 'BLOCKED') {
    return `The key is valid, but the account is blocked. Ask the operator of the service. To see since when and why: ${history}`;
  }
  if (state !== undefined) return `The key is valid and the account is not blocked: ${restricted}`;
  if (owner === undefined && !(await isValid(asker))) return undefined;
  return `The key is valid. The account may be blocked: ask the operator of the service. Or ${restricted}`;
}

/** The state of the account, empty if it never changed; undefined if the service does not tell. */
async function stateNow({ client, deadline }: Asker): Promise<string | undefined> {
  const status = await unlessMissing(client.call('reputation.status', {}, { deadline }));
  if (status !== undefined && status !== 'failed') return status.state;
  const query = { limit: 1 };
  const events = await unlessMissing(client.call('reputation.events', { query }, { deadline }));
  return events === undefined || events === 'failed' ? undefined : (events[0]?.toState ?? '');
}

/** The response; undefined if the service has no such endpoint. */
async function unlessMissing<Value>(asked: Promise<Value>): Promise<Value | undefined | 'failed'> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof MailerError) return 'failed';
    throw error;
  }
}

async function isValid({ client, deadline }: Asker): Promise<boolean> {
  const isJson = ({ body }: WireReply) => parseJson(body) !== undefined;
  const asked = await client.send(alwaysOffered, isJson, { deadline });
  return asked.outcome === 'accepted' && asked.value;
}
