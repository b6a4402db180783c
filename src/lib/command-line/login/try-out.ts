import {
  AuthError,
  BadReplyError,
  MailerError,
  NotFoundError,
  UnavailableError,
  withHint,
} from '../../base/errors.ts';
import { apiRoot } from '../../service/http/network/base-url.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';

interface Tried {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Sends one request that any key may send, and returns the base URL of the API. If the given URL is not the
 * API, looks for it on the same host. Errors say that nothing was stored and what to check.
 */
export async function tryOut(context: Context, { baseUrl, apiKey }: Tried): Promise<string> {
  let url = apiRoot(baseUrl);
  try {
    // The usual case, settled by one request.
    if (url.endsWith('/api') && (await isApi(context, { baseUrl: url, apiKey }))) return url;
    const { findApi } = await import('./find-api.ts');
    url = await findApi(context, url);
    await call(context, { baseUrl: url, apiKey });
    return url;
  } catch (error) {
    throw error instanceof MailerError ? withAdvice(error, context, url) : error;
  }
}

async function call(context: Context, credentials: Tried): Promise<void> {
  const { baseUrl, apiKey } = credentials;
  const client = await context.clientFor(credentials);
  const [domain] = await context.progress.during(`Testing the key at ${baseUrl}`, () =>
    client.call('domain.list', {}),
  );
  const { accountName, rememberTeam } = await import('../log/remember-team.ts');
  rememberTeam(context, accountName(baseUrl, apiKey), domain?.teamId);
}

/** Whether the API accepted the key; false if something other than the API responded. */
async function isApi(context: Context, credentials: Tried): Promise<boolean> {
  try {
    await call(context, credentials);
    return true;
  } catch (error) {
    if (error instanceof BadReplyError || error instanceof NotFoundError) return false;
    throw error;
  }
}

function withAdvice(error: MailerError, context: Context, baseUrl: string): MailerError {
  if (error instanceof AuthError) {
    return new AuthError(`${baseUrl} rejected the key: ${error.message}`, {
      ...error.details,
      hint: 'Nothing was stored. Check the key, and that it belongs to this base URL.',
    });
  }
  const { hint, status } = error.details;
  const flags = { ...context.flags, baseUrl };
  const doctor = `To find the cause: ${nextCommand({ ...context, flags }, 'doctor')}`;
  const isConnection = error instanceof UnavailableError && status === undefined;
  const more = isConnection ? [plainHttp(baseUrl), doctor] : [];
  return withHint(error, ['Nothing was stored.', hint, ...more].filter(Boolean).join(' '));
}

/** A hint for `host:4100`, which is read as https, although services on such ports often have no https. */
function plainHttp(baseUrl: string): string | undefined {
  const { protocol, port, host } = new URL(baseUrl);
  return protocol === 'https:' && port !== ''
    ? `If it does not support https: --base-url http://${host} --allow-http.`
    : undefined;
}
