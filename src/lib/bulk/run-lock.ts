import { closeSync, openSync } from 'node:fs';
import { loadSqlite } from '../load-sqlite.ts';

/** A lock that is held until it is released, or until its process has ended, however that happens. */
export interface RunLock {
  release(): void;
}

/**
 * Takes the lock of a run, or returns undefined when another process holds it. As for the
 * configuration it is SQLite's, so that the kernel drops it with its holder.
 */
export function takeRunLock(path: string): RunLock | undefined {
  closeSync(openSync(path, 'a', 0o600));
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
