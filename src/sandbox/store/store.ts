import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { booleanColumns, jsonColumns } from './schema.ts';
import { explained, sqliteBusy, sqliteCode } from './storage-failure.ts';

/** A value for a placeholder. Times are milliseconds since 1970; undefined is stored as NULL. */
export type Value = string | number | boolean | object | null | undefined;

/** Values by the names of their columns in camel case, as rows have them, too. */
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
    return clearly(() => Number(prepared(sql).run(...values.map(bound)).changes));
  }

  function insert(table: string, row: Columns, otherwise: string): number {
    const values = Object.values(row);
    const places = values.map(() => '?').join();
    const columns = Object.keys(row).map(columnName).join();
    return run(`INSERT INTO ${table} (${columns}) VALUES (${places}) ${otherwise}`, ...values);
  }

  return {
    /** Executes `sql` and returns how many rows it changed. */
    run,
    /** The first row, if there is one. `Row` names the columns that `sql` selects. */
    one<Row extends object>(sql: string, ...values: Value[]) {
      const row = clearly(() => prepared(sql).get(...values.map(bound)));
      return row && rowOf<Row>(row);
    },
    /** The first column of the first row, if there is one. */
    value<Type extends Value>(sql: string, ...values: Value[]) {
      const row = clearly(() => prepared(sql).get(...values.map(bound)));
      return row && Object.values(rowOf<Record<string, Type>>(row))[0];
    },
    /** All rows. */
    all<Row extends object>(sql: string, ...values: Value[]) {
      return clearly(() => prepared(sql).all(...values.map(bound))).map(rowOf<Row>);
    },
    /** All rows, which are read one by one. */
    *each<Row extends object>(sql: string): Generator<Row> {
      const rows = prepared(sql).iterate();
      for (;;) {
        const { done, value } = clearly(() => rows.next());
        if (done === true) return;
        yield rowOf<Row>(value);
      }
    },
    /**
     * Inserts a row, given by its columns, whose names must not come from input. A row with the same `key`, the
     * name of a column, is replaced; without `key`, that is an error.
     */
    insert(table: string, row: Columns, key?: string): void {
      const columns = Object.keys(row).map(columnName);
      const changes = columns.map((column) => `${column} = excluded.${column}`);
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
      const changes = Object.keys(row).map((name) => `${columnName(name)} = ?`);
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

/** `createdAt` becomes `created_at`. */
function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function bound(value: Value): SQLInputValue {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return value instanceof Uint8Array ? value : JSON.stringify(value);
}

/** A row of SQLite with its values. SQLite has no types for rows: the caller states the columns that its own SQL selects. */
function rowOf<Row extends object>(row: object): Row {
  const values = Object.entries(row).map(([column, stored]) => {
    const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [name, valueIn(name, stored)];
  });
  return Object.fromEntries(values) as Row;
}

function valueIn(column: string, stored: unknown): unknown {
  if (booleanColumns.has(column)) return stored === 1;
  return jsonColumns.has(column) && stored !== null ? JSON.parse(String(stored)) : stored;
}

function clearly<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explained(error);
  }
}
