import { withHint } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import type { CallOptions } from '../../service/http/client.ts';

/** Starts the verification of a domain. The error of a conflict says whether one was started. */
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
      // After a lost response, the conflict may be with the verification that the first attempt started.
      const state = outcomeUnknown
        ? 'This verification may have been started.'
        : 'This verification was not started; another one may be running.';
      return `${state} Check its status: ${get}`;
    });
  }
}

/** An error of the wait that follows, with the note that the verification was started even so. */
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
      // One line each, because a hint may end in a command.
      .flat()
      .join('\n'),
  );
}
