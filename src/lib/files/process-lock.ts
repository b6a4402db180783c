import { closeSync, constants, fstatSync, rmSync, statSync } from 'node:fs';
import { loadSqlite } from '../../shared/load-sqlite.ts';
import { openRegular } from './regular-file.ts';

/** A lock that is held until it is released or its process ends, for whatever reason. */
export interface ProcessLock {
  /** Releases it; call it once. */
  release(): void;
  /** Removes its file and releases it; call it once. */
  remove(): void;
}

/** Milliseconds to wait for a process that holds the lock only to see whether it is free. */
const shortly = 100;

/**
 * Takes the lock of a file; undefined if another process holds it. Like the lock of the configuration it is
 * SQLite's, so the kernel drops it when its process ends.
 */
export function takeLock(path: string): ProcessLock | undefined {
  // Stays open as long as the lock: the kernel then gives its inode number to no other file, and closing it
  // earlier would drop the lock.
  const file = openRegular(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout: shortly });
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
  // Its last holder may have removed the file while we waited for it. Its lock would then protect nothing,
  // because the next process creates a new file.
  if (statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(file).ino) {
    release();
    return takeLock(path);
  }
  return {
    release,
    remove() {
      try {
        rmSync(path, { force: true });
      } catch {
        // Windows cannot remove an open file. It is empty.
      }
      release();
    },
  };
}
