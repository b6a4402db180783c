import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sandboxApiKey } from './account.ts';
import { type Advanced, advance } from './advance.ts';
import { createApp } from './app.ts';
import { aheadOf, moveClock, sandboxClock, setAhead } from './clock.ts';
import { catchUp } from './due.ts';
import type { Fault } from './faults/fault.ts';
import { createFaults } from './faults/faults.ts';
import { indexMessages } from './message-search.ts';
import { adjustableRateLimit } from './rate-limit.ts';
import { schema, schemaVersion, searchTable, tables } from './schema.ts';
import { seed } from './seeds.ts';
import { openDatabase } from './sqlite.ts';
import { reasonOf, sqliteBusy, sqliteCode } from './storage-failure.ts';
import { createStore, type Store, usualPatience } from './store.ts';

export interface SandboxOptions {
  /** Where the data is kept; made, readable by its owner only, when it does not exist. */
  readonly directory: string;
  /** The real clock, which that of the sandbox follows: milliseconds since 1970. */
  readonly now: () => number;
  /**
   * How many milliseconds the sandbox's clock is to be ahead of the real one from now on, negative
   * for behind. As it was left when absent.
   */
  readonly ahead?: number | undefined;
  /** Requests per second that are answered; no limit when absent. */
  readonly rateLimit?: number | undefined;
  /** What goes wrong on purpose, from the beginning on; nothing when absent. */
  readonly faults?: readonly Fault[];
  /**
   * Awaited by each send that carries an idempotency key, after the key is claimed and before the
   * email is stored: the time the service takes. None when absent.
   */
  readonly processing?: () => Promise<void>;
  /** Where links in what is sent lead to; where the request came to when absent. */
  readonly linkOrigin?: string | undefined;
  /** Milliseconds to wait for other processes that write; 30 seconds when absent. */
  readonly patience?: number | undefined;
  /** Told of what failed inside, one line each. Not told when absent. */
  readonly log?: (line: string) => void;
}

export interface Sandbox {
  /**
   * The service. Its API is under `/api` of whatever origin the request names. Rejects with
   * `ConnectionLost` where a fault closes the connection.
   */
  fetch(request: Request): Promise<Response>;
  /**
   * Carries out what has become due, which every request does first, and some of what can wait for
   * a quiet moment. `origin` is that of its links.
   */
  catchUp(origin: string): void;
  /** The sandbox's clock: milliseconds since 1970. */
  now(): number;
  /** How many milliseconds the sandbox's clock is ahead of the real one; negative when behind. */
  ahead(): number;
  /** By how many milliseconds opening it moved its clock. */
  readonly clockMoved: number;
  /**
   * Moves the clock on by milliseconds, more than 0, and has `carryOut` carry out what is due by
   * then; see `advance`.
   */
  advance(by: number, carryOut: () => void | Promise<void>): Promise<Advanced>;
  close(): void;
  /** The database file. */
  readonly path: string;
  readonly apiKey: string;
}

/** Emails that become findable each time the sandbox catches up: some 50 milliseconds of work. */
const indexedInBackground = 400;

/** The data cannot be opened: no permission, no space, or not the sandbox's file. */
export class SandboxUnavailable extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`Cannot open the sandbox's data in ${path}: ${reasonOf(cause)}`, { cause });
    this.path = path;
  }
}

/**
 * Opens the sandbox whose data is in `directory`, and on first use creates it with something to
 * play with. Any number of processes may have it open. Throws `SandboxUnavailable`.
 */
export function openSandbox(options: SandboxOptions): Sandbox {
  const path = databasePath(options.directory);
  const store = openStore(options);
  const clock = sandboxClock(store, options.now);
  const clockMoved = putClock(store, options.ahead);
  const advanceBy: Sandbox['advance'] = (by, carryOut) =>
    advance({ store, real: options.now, by, carryOut });
  const app = createApp({
    store,
    clock,
    advance: (by, origin) => advanceBy(by, () => catchUp(store, clock(), origin)),
    reset: () => resetData(store, { now: options.now }),
    faults: createFaults(options.faults),
    rateLimit: adjustableRateLimit(options.rateLimit, options.now),
    processing: options.processing,
    linkOrigin: options.linkOrigin,
    log: options.log ?? (() => {}),
  });
  return {
    fetch: app.fetch,
    catchUp: (origin) => {
      catchUp(store, clock(), origin);
      indexMessages(store, indexedInBackground);
    },
    now: clock,
    ahead: () => aheadOf(store),
    clockMoved,
    advance: advanceBy,
    close: store.close,
    path,
    apiKey: sandboxApiKey,
  };
}

/**
 * Deletes all data of the sandbox in `directory` and seeds it anew; processes that have it open
 * see the new data from their next request on. Its clock shows the real time again, or is
 * `ahead` of it; the dates of the new data count back from there. Throws `SandboxUnavailable`.
 */
export function resetSandbox(options: DataOptions): void {
  const store = openStore(options);
  try {
    resetData(store, options);
  } finally {
    store.close();
  }
}

/** Empties all tables and fills them anew. */
function resetData(store: Store, options: Pick<DataOptions, 'now' | 'ahead'>): void {
  store.write(() => {
    for (const table of tables) store.run(`DELETE FROM ${table}`);
    store.run('DELETE FROM sqlite_sequence');
    store.run('DROP TABLE message_search');
    store.run(searchTable);
    begin(store, options);
  });
}

/** Puts the clock ahead as asked for, if it is, and returns by how many milliseconds it moved. */
function putClock(store: Store, ahead: number | undefined): number {
  if (ahead === undefined || ahead === aheadOf(store)) return 0;
  return store.write(() => {
    const by = ahead - aheadOf(store);
    moveClock(store, by);
    return by;
  });
}

/** Whether there is data in `directory`: it is made at the first use. */
export function hasData(directory: string): boolean {
  return existsSync(databasePath(directory));
}

type DataOptions = Pick<SandboxOptions, 'directory' | 'now' | 'ahead' | 'patience'>;

/** Fills empty tables, as of the time that the clock shows. Call it in a transaction. */
function begin(store: Store, { now, ahead = 0 }: Pick<DataOptions, 'now' | 'ahead'>): void {
  if (ahead !== 0) setAhead(store, ahead);
  seed(store, now() + ahead);
}

/** The file in `directory` that holds the data. */
function databasePath(directory: string): string {
  return join(directory, `sandbox-v${schemaVersion}.sqlite`);
}

function openStore(options: DataOptions): Store {
  const { directory } = options;
  const path = databasePath(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Made here and not by SQLite, which would let others read it; its side files copy the mode.
    closeSync(openSync(path, 'a', 0o600));
    const database = openDatabase(path);
    try {
      prepare(database, options);
      return createStore(database, options.patience);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw new SandboxUnavailable(path, error);
  }
}

function prepare(database: DatabaseSync, options: DataOptions): void {
  database.exec(`PRAGMA busy_timeout = ${usualPatience}`);
  patiently(() => {
    const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode;
    if (mode !== 'wal') database.exec('PRAGMA journal_mode = WAL');
  });
  database.exec('PRAGMA synchronous = NORMAL');
  if (version(database) === schemaVersion) return;

  const store = createStore(database);
  store.write(() => {
    // Another process may have been first.
    if (version(database) === schemaVersion) return;
    database.exec(schema);
    begin(store, options);
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

function version(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.user_version;
}

/** Repeats `work` while the database is locked: a change of journal mode ignores busy_timeout. */
function patiently(work: () => void): void {
  const attempts = 500;
  for (let attempt = 1; ; attempt++) {
    try {
      work();
      return;
    } catch (error) {
      if (attempt === attempts || sqliteCode(error) !== sqliteBusy) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
