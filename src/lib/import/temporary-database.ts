import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../../shared/load-sqlite.ts';

/** What an error calls the file of a temporary database, which has no name. */
export const temporaryFile = 'a temporary file';

/**
 * A database with these tables, in one transaction that never ends. It takes little memory for any number of rows, and
 * nothing of it stays when the process ends.
 */
export function createTemporaryDatabase(tables: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -8192;
    ${tables}
    BEGIN;
  `);
  return database;
}
