import { AuthError, NotFoundError, withHint } from '../../base/errors.ts';

/**
 * The response to a request on which it depends whether something starts or is sent; undefined if the service has
 * nothing to show, or may not show it to this key. Throws any other error, which may pass, with what did not happen.
 */
export async function fetchIfAvailable<Value>(
  ask: () => Promise<Value>,
  undone: string,
): Promise<Value | undefined> {
  try {
    return await ask();
  } catch (error) {
    const isForbidden = error instanceof AuthError && error.details.status === 403;
    if (isForbidden || error instanceof NotFoundError) return undefined;
    throw withHint(error, ({ details: { hint } }) => [undone, hint].filter(Boolean).join('\n'));
  }
}
