import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import {
  AuthError,
  BadReplyError,
  MailerError,
  NotFoundError,
  UnavailableError,
  withHint,
} from '../errors.ts';
import { upToApi } from '../http/network/base-url.ts';

interface Tried {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Makes one call that any key may make, and returns the base URL of the API. If the given one is not
 * it, looks for the API on the same host. An error says that nothing was stored and what to check.
 */
export async function tryOut(context: Context, { baseUrl, apiKey }: Tried): Promise<string> {
  let url = upToApi(baseUrl);
  try {
    // The usual path: one request is enough.
    if (url.endsWith('/api') && (await isApi(context, { baseUrl: url, apiKey }))) return url;
    const { findApi } = await import('./find-api.ts');
    url = await findApi(context, url);
    await call(context, { baseUrl: url, apiKey });
    return url;
  } catch (error) {
    throw error instanceof MailerError ? withAdvice(error, context, url) : error;
  }
}

async function call({ clientFor, progress }: Context, credentials: Tried): Promise<void> {
  const client = await clientFor(credentials);
  await progress.during(`Trying the key at ${credentials.baseUrl}`, () =>
    client.call('domain.list', {}),
  );
}

/** Whether the API took the key; false if something else responded. */
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

/** `host:4100` is https where others could read along, and services on ports of their own often are not. */
function plainHttp(baseUrl: string): string | undefined {
  const { protocol, port, host } = new URL(baseUrl);
  return protocol === 'https:' && port !== ''
    ? `If it does not support https: --base-url http://${host} --allow-http.`
    : undefined;
}
