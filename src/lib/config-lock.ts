import { closeSync, constants } from 'node:fs';
import { UsageError } from './errors.ts';
import { loadSqlite } from './load-sqlite.ts';
import { openRegular } from './regular-file.ts';

/** SQLITE_BUSY; its finer codes have the same low byte (https://www.sqlite.org/rescode.html). */
const busy = 5;

/**
 * Runs `work` while no other process holds the lock `path`, waiting for it up to `timeout` ms. The
 * lock is SQLite's on an empty database file: the kernel drops it when its holder dies, however
 * that happens, so a lock cannot be left behind. `work` must not wait for anything, which also
 * means that no signal handler and no other part of this process runs while the lock is held.
 *
 * Throws a `UsageError` when another process holds the lock for longer.
 */
export function withLock<Value>(path: string, timeout: number, work: () => Value): Value {
  // Made here and not by SQLite, for its mode, and for the system's own error when it cannot be.
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  closeSync(openRegular(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600));
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout });
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
          ? 'Try again when it has ended.'
          : 'Name a directory on a local disk in MAILER_CONFIG_DIR.',
        cause: error,
      },
    );
  }
}
