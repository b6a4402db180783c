import { join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { cannotBeWritten, isFileError } from '../../base/files/file-errors.ts';
import { type ProcessLock, takeLock } from '../../base/files/process-lock.ts';
import type { Context } from '../../command-line/command/context.ts';

/** The lock file; removed at the end. */
const lockName = '.mailer-templates.lock';

/**
 * Does some work on a directory of templates under a lock: two processes that compare at the same time
 * would both create the missing templates. Throws a `UsageError` if another process has the lock, or the
 * directory is not writable.
 */
export async function withDirectoryLock<Value>(
  { system }: Pick<Context, 'system'>,
  directory: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const lock = locked(resolve(system.cwd, directory), directory);
  if (lock === undefined) {
    throw new UsageError(`Another process is pushing the templates in ${directory}`, {
      hint: 'Nothing was created. Run this again once the other one has ended.',
    });
  }
  try {
    return await work();
  } finally {
    lock.remove();
  }
}

function locked(path: string, directory: string): ProcessLock | undefined {
  try {
    return takeLock(join(path, lockName));
  } catch (error) {
    throw isFileError(error) ? cannotBeWritten(directory, error) : error;
  }
}
