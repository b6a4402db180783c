import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { ConflictError, MailerError, NotFoundError } from '../errors.ts';
import type { CallOptions } from '../http/client.ts';
import { visible } from '../text/visible.ts';

/** Starts the verification of a domain. A conflict says whether anything was. */
export async function startVerification(
  context: Pick<Context, 'call' | 'flags' | 'system'>,
  id: number,
  name: string,
  options?: CallOptions,
) {
  try {
    return await context.call('domain.verify', { params: { id } }, options);
  } catch (error) {
    if (error instanceof ConflictError) {
      const get = nextCommand(context, 'domain', 'get', name);
      // After a lost response the conflict may be with what that try has started.
      const state = error.outcomeUnknown
        ? 'This verification may have been started all the same.'
        : 'This verification was not started; another one may be running.';
      const hint = `${state} Check its status: ${get}`;
      error.details = { ...error.details, hint };
    }
    throw error;
  }
}

/** An error of the wait after it, with what is true all the same: the verification was started. */
export function afterStart(
  error: unknown,
  context: Pick<Context, 'flags' | 'system'>,
  name: string,
): unknown {
  if (!(error instanceof MailerError)) return error;
  const goOn = nextCommand(context, 'domain', 'verify', name, '--wait');
  const hints = [
    `The verification of ${visible(name)} was started.`,
    error.details.hint ?? [],
    error instanceof NotFoundError ? [] : `To go on waiting: ${goOn}`,
  ];
  // A line for each: a hint may end in a command.
  error.details = { ...error.details, hint: hints.flat().join('\n') };
  return error;
}
