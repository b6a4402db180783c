import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { withHint } from '../errors.ts';
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
    throw withHint(error, ({ code, outcomeUnknown }) => {
      if (code !== 'conflict') return undefined;
      const get = nextCommand(context, 'domain', 'get', name);
      // After a lost response the conflict may be with what that try has started.
      const state = outcomeUnknown
        ? 'This verification may have been started.'
        : 'This verification was not started; another one may be running.';
      return `${state} Check its status: ${get}`;
    });
  }
}

/** An error of the wait after it, which says that the verification was started all the same. */
export function afterStart(
  thrown: unknown,
  context: Pick<Context, 'flags' | 'system'>,
  name: string,
): unknown {
  const wait = nextCommand(context, 'domain', 'verify', name, '--wait');
  return withHint(thrown, ({ code, details: { hint = [] } }) =>
    [
      `The verification of ${visible(name)} was started.`,
      hint,
      code === 'not_found' ? [] : `To keep waiting: ${wait}`,
    ]
      // A line for each: a hint may end in a command.
      .flat()
      .join('\n'),
  );
}
