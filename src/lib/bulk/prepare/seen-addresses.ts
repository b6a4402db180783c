import { closeSync, openSync, rmSync } from 'node:fs';
import { loadSqlite } from '../../../shared/load-sqlite.ts';

/** An address, and the row that it is in. */
export interface RowKey {
  readonly key: string;
  readonly row: number;
}

/** Which row was the first to each address, for any number of rows in little memory. */
export interface SeenAddresses {
  /** For each, the row that had its address before; undefined where it is the first. */
  earlier(lot: readonly RowKey[]): readonly (number | undefined)[];
  close(): void;
}

/** How many are looked up at once best: a statement for each would take twice the time. */
export const lookedUpTogether = 100;

/**
 * Keeps them in a database at this path, which is gone when it is closed. Not in one of SQLite's
 * own temporary files: the directory they are in is often small, and in memory.
 */
export function createSeenAddresses(path: string): SeenAddresses {
  closeSync(openSync(path, 'wx', 0o600));
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  // A mebibyte is enough for addresses that come nearly in order, and no cache for those that do not.
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -1024;
    CREATE TABLE seen (address TEXT PRIMARY KEY, row INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    BEGIN;
  `);
  const insert = (rows: number) =>
    database.prepare(
      `INSERT OR IGNORE INTO seen (address, row) VALUES ${Array(rows).fill('(?, ?)').join(', ')}`,
    );
  const addOne = insert(1);
  const addMany = insert(lookedUpTogether);
  const find = database.prepare('SELECT row FROM seen WHERE address = ?');
  const add = (lot: readonly RowKey[]) => {
    if (lot.length !== lookedUpTogether) {
      for (const { key, row } of lot) addOne.run(key, row);
      return false;
    }
    const { changes } = addMany.run(...lot.flatMap(({ key, row }) => [key, row]));
    return changes === lot.length;
  };
  return {
    earlier(lot) {
      if (add(lot)) return [];
      return lot.map(({ key, row }) => {
        const first = Number(find.get(key)?.row);
        return first === row ? undefined : first;
      });
    },
    close() {
      database.close();
      rmSync(path);
    },
  };
}
