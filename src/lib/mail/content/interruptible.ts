import { setImmediate } from 'node:timers/promises';
import { createContext, type RunningScriptOptions, Script } from 'node:vm';
import { InterruptedError, UsageError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';

/** Milliseconds for which Ctrl-C may wait. Nearly every email takes less. */
const quick = 500;

const script = new Script('work()');
const room = createContext({});

/**
 * Does synchronous work of libraries that may take minutes. Ctrl-C ends it, and it is a `UsageError` after
 * `conversionTime`. Slow work is done twice, so it must have no effects.
 */
export async function interruptible<Result>(
  work: () => Result,
  { signal, conversionTime }: Pick<System, 'signal' | 'conversionTime'>,
): Promise<Result> {
  try {
    return run(work, { timeout: quick });
  } catch (error) {
    if (!hasEnded(error, 'TIMEOUT')) throw error;
  }
  // A signal until now reaches its listeners, which `breakOnSigint` removes for a while. A batch would do that
  // for each row, and lose some signals in between, so it is not done for quick work.
  await setImmediate();
  signal.throwIfAborted();
  try {
    return run(work, { timeout: conversionTime, breakOnSigint: true });
  } catch (error) {
    if (hasEnded(error, 'INTERRUPTED')) throw new InterruptedError('Interrupted.');
    if (!hasEnded(error, 'TIMEOUT')) throw error;
    throw new UsageError(`The body takes more than ${conversionTime / 1000} seconds to convert`, {
      hint: 'Shorten it, or use fewer and simpler CSS selectors.',
    });
  }
}

/** Only code that a script calls can be ended. */
function run<Result>(work: () => Result, options: RunningScriptOptions): Result {
  room.work = work;
  return script.runInContext(room, options);
}

/** Whether Node ended the work. Such errors are no instances of this context's `Error`. */
function hasEnded(error: unknown, why: 'TIMEOUT' | 'INTERRUPTED'): boolean {
  const { code } = Object(error);
  return code === `ERR_SCRIPT_EXECUTION_${why}`;
}
