import { UsageError } from '../../../base/errors.ts';
import { type ProcessLock, takeLock } from '../../../base/files/process-lock.ts';
import { makeTrusted, type Owner } from './trust.ts';

export interface LockOptions {
  readonly path: string;
  readonly owner: Owner;
  /** How long to wait for another process that has the lock, in milliseconds. */
  readonly timeout: number;
}

/**
 * Runs `work` under a lock, waiting up to `timeout` ms for it. `work` must be synchronous, so no signal handler and no
 * other part of this process runs meanwhile.
 *
 * Throws a `UsageError` if another process holds the lock for longer, and an `UntrustedConfig`.
 */
export function withLock<Value>({ path, owner, timeout }: LockOptions, work: () => Value): Value {
  let lock: ProcessLock | undefined;
  const real = makeTrusted(path, owner);
  try {
    lock = takeLock(real, timeout);
  } catch (cause) {
    throw new UsageError(`Cannot lock the configuration with ${path}: ${String(cause)}`, {
      hint: 'Set MAILER_CONFIG_DIR to a directory on a local disk.',
      cause,
    });
  }
  if (lock === undefined) {
    throw new UsageError(`Another process holds the lock on the configuration: ${path}`, {
      hint: 'Run the command again when it has ended.',
    });
  }
  try {
    return work();
  } finally {
    lock.release();
  }
}
