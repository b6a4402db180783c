import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { explained, sqliteBusy, sqliteCode } from './storage-failure.ts';

/** A value for a placeholder. Times are milliseconds since 1970, booleans 0 and 1. */
export type Value = string | number | null | Uint8Array;

/** Values by the names of their columns. */
type Columns = Readonly<Record<string, Value>>;

/**
 * The database of the sandbox: SQL with bound values, and transactions. Everything throws a
 * `StorageFailure` if, for example, the disk is full or the database is locked.
 */
export type Store = ReturnType<typeof createStore>;

/** How long to wait for other processes, in milliseconds: many may be sending at once, each one email. */
export const usualPatience = 30_000;

/** How long a transaction waits after the previous one timed out, in milliseconds. */
const impatience = 100;

/**
 * Wraps an open database. Statements are prepared once. A transaction waits up to `patience` milliseconds for
 * other processes. That blocks this process, so after a timeout the next ones wait only briefly. `check` is
 * called before each, and throws if nothing may be written.
 */
export function createStore(
  database: DatabaseSync,
  patience = usualPatience,
  check: () => void = () => {},
) {
  const statements = new Map<string, StatementSync>();
  let waits = Number.NaN;
  let impatient = false;
  waitFor(patience);

  function waitFor(milliseconds: number): void {
    if (milliseconds !== waits) database.exec(`PRAGMA busy_timeout = ${milliseconds}`);
    waits = milliseconds;
  }

  function begin(most: number): void {
    waitFor(Math.min(most, impatient ? impatience : patience));
    try {
      // A deferred transaction could fail half-way, when another process writes in between.
      prepared('BEGIN IMMEDIATE').run();
      impatient = false;
    } catch (error) {
      impatient = sqliteCode(error) === sqliteBusy;
      throw error;
    }
  }

  function prepared(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function run(sql: string, ...values: Value[]): number {
    return clearly(() => Number(prepared(sql).run(...values).changes));
  }

  function insert(table: string, row: Columns, otherwise: string): number {
    const values = Object.values(row);
    const places = values.map(() => '?').join();
    const columns = Object.keys(row).join();
    return run(`INSERT INTO ${table} (${columns}) VALUES (${places}) ${otherwise}`, ...values);
  }

  return {
    /** Executes `sql` and returns how many rows it changed. */
    run,
    /** The first row, if there is one. `Row` names the columns that `sql` selects. */
    one<Row extends object>(sql: string, ...values: Value[]) {
      // SQLite has no types for rows: the caller states the columns that its own SQL selects.
      return clearly(() => prepared(sql).get(...values) as Row | undefined);
    },
    /** The first column of the first row, if there is one. */
    value<Type extends Value>(sql: string, ...values: Value[]) {
      // As above.
      const row = clearly(() => prepared(sql).get(...values) as Record<string, Type> | undefined);
      return row && Object.values(row)[0];
    },
    /** All rows. */
    all<Row extends object>(sql: string, ...values: Value[]) {
      // As above.
      return clearly(() => prepared(sql).all(...values) as Row[]);
    },
    /** All rows, which are read one by one. */
    *each<Row extends object>(sql: string): Generator<Row> {
      const rows = prepared(sql).iterate();
      for (;;) {
        const { done, value } = clearly(() => rows.next());
        if (done === true) return;
        // As above.
        yield value as Row;
      }
    },
    /**
     * Inserts a row, given by its columns, whose names must not come from input. A row with the same `key`, the
     * name of a column, is replaced; without `key`, that is an error.
     */
    insert(table: string, row: Columns, key?: string): void {
      const changes = Object.keys(row).map((column) => `${column} = excluded.${column}`);
      const otherwise =
        key === undefined ? '' : `ON CONFLICT (${key}) DO UPDATE SET ${changes.join()}`;
      insert(table, row, otherwise);
    },
    /** Inserts a row, unless there is one with its key. Returns whether there was none. */
    insertNew(table: string, row: Columns) {
      return insert(table, row, 'ON CONFLICT DO NOTHING') > 0;
    },
    /** Changes columns of the row with this `id`. Returns the number of such rows. */
    update(table: string, id: string | number, row: Columns) {
      const changes = Object.keys(row).map((column) => `${column} = ?`);
      return run(`UPDATE ${table} SET ${changes.join()} WHERE id = ?`, ...Object.values(row), id);
    },
    /**
     * Runs `work` as the only writer of all processes: everything is stored, or nothing if it throws.
     * It cannot be nested. It waits for other writers, at most `most` milliseconds (by default as
     * long as the store waits), then throws.
     */
    write<Result>(work: () => Result, most = patience): Result {
      check();
      clearly(() => begin(most));
      try {
        const result = work();
        clearly(() => prepared('COMMIT').run());
        return result;
      } catch (error) {
        if (database.isTransaction) prepared('ROLLBACK').run();
        throw error;
      }
    },
    /**
     * Yields the values of `read` from one snapshot, whatever others write meanwhile. This store cannot write
     * before the last one is read.
     */
    *snapshot<Item>(read: () => Iterable<Item>): Iterable<Item> {
      prepared('BEGIN').run();
      try {
        yield* read();
      } finally {
        prepared('COMMIT').run();
      }
    },
    /** Closes the database; a second time does nothing. */
    close(): void {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
}

function clearly<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explained(error);
  }
}
