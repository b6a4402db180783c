import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../../shared/load-sqlite.ts';

/** Opens (and creates) a SQLite database file. Throws Node's `ERR_SQLITE_ERROR` when it cannot. */
export function openDatabase(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  return new DatabaseSync(path);
}
