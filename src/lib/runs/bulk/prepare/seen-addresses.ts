import { rmSync } from 'node:fs';
import { createTemporaryDatabase } from '../../../base/files/temporary-database.ts';

/**
 * Tells which row was the first with an address, for any number of rows in little memory: in a database at
 * this path, removed on `close`. The directory for temporary files would often be too small, or in memory.
 */
export function createSeenAddresses(path: string) {
  const table =
    'CREATE TABLE seen (address TEXT PRIMARY KEY, row INTEGER NOT NULL) STRICT, WITHOUT ROWID;';
  // 1 MiB is enough for addresses that come nearly in order; for others no cache would be.
  const database = createTemporaryDatabase(table, { path, cache: 1024 });
  const add = database.prepare('INSERT OR IGNORE INTO seen (address, row) VALUES (?, ?)');
  const find = database.prepare('SELECT row FROM seen WHERE address = ?');
  return {
    /** The earlier row with this address; undefined for the first one, which `row` becomes. */
    earlier(address: string, row: number): number | undefined {
      return add.run(address, row).changes === 1 ? undefined : Number(find.get(address)?.row);
    },
    /** The first row with this address. */
    rowOf(address: string): number | undefined {
      const found = find.get(address);
      return found === undefined ? undefined : Number(found.row);
    },
    close(): void {
      database.close();
      rmSync(path);
    },
  };
}
