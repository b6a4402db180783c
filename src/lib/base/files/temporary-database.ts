import { closeSync, openSync } from 'node:fs';
import { loadSqlite } from '../../../shared/load-sqlite.ts';

/** What an error calls the file of a temporary database, which has no name. */
export const temporaryFile = 'a temporary file';

/**
 * A database with these tables, in one transaction that never ends. It takes little memory for any number of rows: at
 * most so many KiB. Without a `path`, nothing of it stays when the process ends.
 */
export function createTemporaryDatabase(tables: string, { path = '', cache = 8192 } = {}) {
  if (path !== '') closeSync(openSync(path, 'wx', 0o600));
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -${cache};
    ${tables}
    BEGIN;
  `);
  return database;
}
