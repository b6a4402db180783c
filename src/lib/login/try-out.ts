import type { Context } from '../command/context.ts';
import { AuthError, BadReplyError, MailerError, NotFoundError, withHint } from '../errors.ts';

/** Makes one call that any key may make. An error says that nothing was stored and what to check. */
export async function tryOut(
  context: Context,
  credentials: { baseUrl: string; apiKey: string },
): Promise<void> {
  const { baseUrl } = credentials;
  try {
    const client = await context.clientFor(credentials);
    await context.progress.during(`Trying the key at ${baseUrl}`, () =>
      client.call('domain.list', {}),
    );
  } catch (error) {
    throw error instanceof MailerError ? withAdvice(error, baseUrl) : error;
  }
}

function withAdvice(error: MailerError, baseUrl: string): MailerError {
  if (error instanceof AuthError) {
    return new AuthError(`${baseUrl} rejected the key: ${error.message}`, {
      ...error.details,
      hint: 'Nothing was stored. Check the key, and that it belongs to this base URL.',
    });
  }
  const hint =
    error instanceof NotFoundError || error instanceof BadReplyError
      ? `Check the base URL, ${baseUrl}: its path usually is /api.`
      : (error.details.hint ?? '');
  return withHint(error, `Nothing was stored. ${hint}`.trim());
}
