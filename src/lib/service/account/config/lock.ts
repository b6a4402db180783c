import { loadSqlite } from '../../../../shared/load-sqlite.ts';
import { UsageError } from '../../../base/errors.ts';
import { makeTrusted, type Owner } from './trust.ts';

/** SQLITE_BUSY; its extended codes have the same low byte (https://www.sqlite.org/rescode.html). */
const busy = 5;

export interface LockOptions {
  readonly path: string;
  readonly owner: Owner;
  /** How long to wait for another process that has the lock, in milliseconds. */
  readonly timeout: number;
}

/**
 * Runs `work` under a lock, waiting up to `timeout` ms for it. The lock is SQLite's, on an empty database
 * file: the kernel releases it when the process that holds it dies. `work` must be synchronous, so no
 * signal handler and no other part of this process runs meanwhile.
 *
 * Throws a `UsageError` if another process holds the lock for longer, and an `UntrustedConfig`.
 */
export function withLock<Value>({ path, owner, timeout }: LockOptions, work: () => Value): Value {
  // Created here and not by SQLite, to set its mode, to get the system's own error, and because SQLite
  // does not check who owns the file.
  const real = makeTrusted(path, owner);
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(real, { timeout });
  try {
    acquire(path, () => {
      database.exec('PRAGMA journal_mode = MEMORY');
      database.exec('BEGIN IMMEDIATE');
    });
    return work();
  } finally {
    database.close();
  }
}

function acquire(path: string, begin: () => void): void {
  try {
    begin();
  } catch (error) {
    const held =
      error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busy;
    throw new UsageError(
      held
        ? `Another process holds the lock on the configuration: ${path}`
        : `Cannot lock the configuration with ${path}: ${String(error)}`,
      {
        hint: held
          ? 'Run the command again when it has ended.'
          : 'Set MAILER_CONFIG_DIR to a directory on a local disk.',
        cause: error,
      },
    );
  }
}
