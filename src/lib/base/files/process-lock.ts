import { closeSync, constants, fstatSync, rmSync, statSync } from 'node:fs';
import { loadSqlite } from '../../../shared/load-sqlite.ts';
import { openRegular } from './regular-file.ts';

/** A lock that is held until it is released, or until its process ends for any reason. */
export interface ProcessLock {
  /** Releases it. Call it once. */
  release(): void;
  /** Removes its file and releases it. Call it once. */
  remove(): void;
}

/**
 * Takes the lock of a file, an empty database; undefined if another process holds it for longer than `timeout` ms.
 * By default, that is what a process needs that only checks whether it is free. It is an SQLite lock, so the kernel
 * drops it when the process ends.
 */
export function takeLock(path: string, timeout = 100): ProcessLock | undefined {
  // Stays open as long as the lock: the kernel then gives its inode number to no other file.
  // Closing it earlier would drop the lock.
  const file = openRegular(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout });
  const release = () => {
    database.close();
    closeSync(file);
  };
  try {
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    release();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined;
    throw error;
  }
  // The last holder may have removed the file while this process waited. The lock would then
  // protect nothing, because the next process creates a new file.
  if (statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(file).ino) {
    release();
    return takeLock(path, timeout);
  }
  return {
    release,
    remove() {
      try {
        rmSync(path, { force: true });
      } catch {
        // Windows cannot remove an open file. It stays, empty.
      }
      release();
    },
  };
}
