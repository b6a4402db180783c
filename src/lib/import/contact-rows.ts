import { closeSync, openSync, rmSync } from 'node:fs';
import { loadSqlite } from '../../shared/load-sqlite.ts';
import type { FileContact } from '../contact/compare.ts';

/** What a row says of a contact. */
export interface SaidRow {
  readonly row: number;
  readonly email: string;
  /** Whether it is to be unsubscribed. */
  readonly unsubscribes: boolean;
  /** JSON of a `FileContact`, which most rows are sent as: reading it takes longer than all else. */
  readonly said: string;
  /** The same, where it is at hand. */
  readonly contact?: FileContact;
}

/**
 * Tells which row was the first to each address, and with `keeps` keeps what rows say while all of them
 * are checked, for any number of rows in little memory: in a database at this path, removed on `close`.
 */
export function createContactRows(path: string, keeps: boolean) {
  closeSync(openSync(path, 'wx', 0o600));
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -8192;
    CREATE TABLE contact (
      row INTEGER PRIMARY KEY,
      email TEXT NOT NULL,
      unsubscribes INTEGER NOT NULL,
      said TEXT NOT NULL
    ) STRICT;
    CREATE TABLE seen (address TEXT PRIMARY KEY, row INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    BEGIN;
  `);
  const see = database.prepare('INSERT OR IGNORE INTO seen (address, row) VALUES (?, ?)');
  const seeAgain = database.prepare('UPDATE seen SET row = ? WHERE address = ?');
  const find = database.prepare('SELECT row FROM seen WHERE address = ?');
  const insert = database.prepare(
    'INSERT INTO contact (row, email, unsubscribes, said) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM contact WHERE row = ?');
  const keep = (row: number, contact: FileContact, said: string) => {
    if (keeps) insert.run(row, contact.email, Number(contact.subscribed === false), said);
  };
  return {
    /** Adds a row, unless an earlier one has the same address but for case: the number of that one. */
    add(row: number, contact: FileContact, said: string): number | undefined {
      const address = addressKey(contact.email);
      if (see.run(address, row).changes === 0) return Number(find.get(address)?.row);
      keep(row, contact, said);
      return undefined;
    },
    /** Adds a row in place of an earlier one with the same address. */
    replace(earlier: number, row: number, contact: FileContact, said: string): void {
      remove.run(earlier);
      seeAgain.run(row, addressKey(contact.email));
      keep(row, contact, said);
    },
    /** All rows, in their order. */
    *all(): Generator<SaidRow> {
      const rows = database.prepare(
        'SELECT row, email, unsubscribes, said FROM contact ORDER BY row',
      );
      for (const { row, email, unsubscribes, said } of rows.iterate()) {
        yield {
          row: Number(row),
          email: String(email),
          unsubscribes: unsubscribes === 1,
          said: String(said),
        };
      }
    },
    close(): void {
      database.close();
      rmSync(path, { force: true });
    },
  };
}

export type ContactRows = ReturnType<typeof createContactRows>;

/** What addresses of one person have in common: they may differ in case. */
export function addressKey(email: string): string {
  return email.toLowerCase();
}
