import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** What can be bound to a placeholder. Times are milliseconds since 1970, booleans 0 and 1. */
export type Value = string | number | null | Uint8Array;

/** The database, as the rest of the sandbox uses it: SQL with bound values, and transactions. */
export interface Store {
  /** The first row, if there is one. `Row` names the columns that `sql` selects. */
  one<Row extends object>(sql: string, ...values: Value[]): Row | undefined;
  /** All rows. */
  all<Row extends object>(sql: string, ...values: Value[]): Row[];
  /** Carries `sql` out and returns how many rows it changed. */
  run(sql: string, ...values: Value[]): number;
  /**
   * Runs `work` as the only writer, among processes too: all of it is stored, or, when it throws,
   * nothing. It cannot be nested.
   */
  write<Result>(work: () => Result): Result;
  /**
   * What `read` gives, all of it as the database is when the first is taken, whatever others write
   * meanwhile. Nothing can be written through this store until the last has been taken.
   */
  snapshot<Item>(read: () => Iterable<Item>): Iterable<Item>;
  /** Closes the database; a second time does nothing. */
  close(): void;
}

/** Wraps an open database. Statements are prepared once and kept. */
export function createStore(database: DatabaseSync): Store {
  const statements = new Map<string, StatementSync>();

  function prepared(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return {
    one<Row extends object>(sql: string, ...values: Value[]) {
      // SQLite knows no row types: the caller states the columns its own SQL selects.
      return prepared(sql).get(...values) as Row | undefined;
    },
    all<Row extends object>(sql: string, ...values: Value[]) {
      // As above.
      return prepared(sql).all(...values) as Row[];
    },
    run(sql, ...values) {
      return Number(prepared(sql).run(...values).changes);
    },
    write(work) {
      // A deferred transaction could fail half-way, when another process writes in between.
      prepared('BEGIN IMMEDIATE').run();
      try {
        const result = work();
        prepared('COMMIT').run();
        return result;
      } catch (error) {
        if (database.isTransaction) prepared('ROLLBACK').run();
        throw error;
      }
    },
    *snapshot(read) {
      prepared('BEGIN').run();
      try {
        yield* read();
      } finally {
        prepared('COMMIT').run();
      }
    },
    close() {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
}
