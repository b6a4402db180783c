import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sandboxApiKey } from './account.ts';
import { createApp } from './app.ts';
import { sandboxClock } from './clock.ts';
import { catchUp } from './due.ts';
import { exportPieces } from './export.ts';
import { schema, schemaVersion, tables } from './schema.ts';
import type { Seed } from './seed-file.ts';
import { type SeedCounts, storeSeed } from './seed-store.ts';
import { seed } from './seeds.ts';
import { openDatabase } from './sqlite.ts';
import { createStore, type Store } from './store.ts';

export interface SandboxOptions {
  /** Where the data is kept; made, readable by its owner only, when it does not exist. */
  readonly directory: string;
  /** The real clock, which that of the sandbox follows: milliseconds since 1970. */
  readonly now: () => number;
  /** Requests per second that are answered; no limit when absent. */
  readonly rateLimit?: number;
  /**
   * Awaited by each send that carries an idempotency key, after the key is claimed and before the
   * email is stored: the time the service takes. None when absent.
   */
  readonly processing?: () => Promise<void>;
  /** Where links in what is sent lead to; where the request came to when absent. */
  readonly linkOrigin?: string | undefined;
  /** Told of what failed inside, one line each. Not told when absent. */
  readonly log?: (line: string) => void;
  /** What is in it when it begins: on first use. Something to play with when absent. */
  readonly fresh?: FreshData;
}

export interface Sandbox {
  /** The service. Its API is under `/api` of whatever origin the request names. */
  fetch(request: Request): Promise<Response>;
  /** Carries out what has become due; every request does so first. `origin` is that of its links. */
  catchUp(origin: string): void;
  close(): void;
  /** The database file. */
  readonly path: string;
  readonly apiKey: string;
}

/** The data cannot be opened: no permission, no space, or not the sandbox's file. */
export class SandboxUnavailable extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Cannot open the sandbox's data in ${path}: ${reason}`, { cause });
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
  const app = createApp({
    store,
    clock,
    rateLimit: options.rateLimit,
    processing: options.processing,
    linkOrigin: options.linkOrigin,
    log: options.log ?? (() => {}),
  });
  return {
    fetch: app.fetch,
    catchUp: (origin) => catchUp(store, clock(), origin),
    close: store.close,
    path,
    apiKey: sandboxApiKey,
  };
}

/** What is in a sandbox that begins anew: something to play with, unless `empty`, and the seeds. */
export interface FreshData {
  readonly empty?: boolean;
  readonly seeds?: Seed | undefined;
}

type Where = Pick<SandboxOptions, 'directory' | 'now'>;

/**
 * Deletes all data of the sandbox in `directory` and fills it anew; processes that have it open
 * see the new data from their next request on. Returns what was stored of the seeds. Throws
 * `SandboxUnavailable`, or `InvalidSeed`, and has changed nothing then.
 */
export function resetSandbox(where: Where, fresh: FreshData = {}): SeedCounts {
  return withStore(where, (store) => store.write(() => fillAnew(store, where.now, fresh)));
}

/** Adds seeds to the sandbox in `directory`. Throws as `resetSandbox` does. */
export function seedSandbox(where: Where, seeds: Seed): SeedCounts {
  const { now } = where;
  return withStore(where, (store) =>
    store.write(() => storeSeed(store, seeds, sandboxClock(store, now)())),
  );
}

/**
 * All that the account of the sandbox in `directory` holds, as a file of seeds in pieces of text
 * that are made as they are taken. Throws `SandboxUnavailable` when the first is.
 */
export function* exportSandbox(where: Where): Generator<string> {
  const store = openStore(where);
  try {
    // Links in what is sent now lead to no server: none may be running.
    catchUp(store, sandboxClock(store, where.now)(), 'http://sandbox.localhost');
    yield* exportPieces(store);
  } finally {
    store.close();
  }
}

/** Deletes all data and fills it anew. Call it in a transaction. */
function fillAnew(store: Store, now: () => number, fresh: FreshData): SeedCounts {
  for (const table of tables) store.run(`DELETE FROM ${table}`);
  store.run('DELETE FROM sqlite_sequence');
  return begin(store, sandboxClock(store, now)(), fresh);
}

/** Fills empty tables. Call it in a transaction. */
function begin(store: Store, at: number, { empty, seeds = {} }: FreshData): SeedCounts {
  if (empty !== true) seed(store, at);
  return storeSeed(store, seeds, at);
}

function withStore<Value>(where: Where, work: (store: Store) => Value): Value {
  const store = openStore(where);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** The file in `directory` that holds the data. */
function databasePath(directory: string): string {
  return join(directory, `sandbox-v${schemaVersion}.sqlite`);
}

function openStore(options: Where & Pick<SandboxOptions, 'fresh'>): Store {
  const { directory, now, fresh = {} } = options;
  const path = databasePath(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Made here and not by SQLite, which would let others read it; its side files copy the mode.
    closeSync(openSync(path, 'a', 0o600));
    const database = openDatabase(path);
    try {
      prepare(database, now, fresh);
      return createStore(database);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw new SandboxUnavailable(path, error);
  }
}

function prepare(database: DatabaseSync, now: () => number, fresh: FreshData): void {
  database.exec('PRAGMA busy_timeout = 30000');
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
    begin(store, now(), fresh);
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

function version(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.user_version;
}

const sqliteBusy = 5;

/** Repeats `work` while the database is locked: a change of journal mode ignores busy_timeout. */
function patiently(work: () => void): void {
  const attempts = 500;
  for (let attempt = 1; ; attempt++) {
    try {
      work();
      return;
    } catch (error) {
      if (attempt === attempts || !isBusy(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
