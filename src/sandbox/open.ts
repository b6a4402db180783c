import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sandboxApiKey } from './account.ts';
import { createApp } from './app.ts';
import { sandboxClock } from './clock.ts';
import { countDeliveries, endSmtpDelivery } from './deliveries.ts';
import { catchUp } from './due.ts';
import { schema, schemaVersion, tables } from './schema.ts';
import { seed } from './seeds.ts';
import { readSetting, writeSetting } from './settings.ts';
import type { SmtpDelivery } from './smtp/delivery.ts';
import type { SmtpUrl } from './smtp/url.ts';
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
  /** Told of what failed inside, one line each. Not told when absent. */
  readonly log?: (line: string) => void;
}

export interface Sandbox {
  /** The service. Its API is under `/api` of whatever origin the request names. */
  fetch(request: Request): Promise<Response>;
  /** Carries out what has become due; every request does so first. `origin` is that of its links. */
  catchUp(origin: string): void;
  /**
   * Hands mail to an SMTP server from now on, for all processes that use the data; `server` is as
   * `readSmtpUrl` gives it. The delivery of mail is made up else.
   */
  deliverBySmtp(server: SmtpUrl): Promise<SmtpDelivery>;
  /** Has the delivery of new mail made up. Returns how many emails wait for an SMTP server. */
  deliverByItself(): number;
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
  const log = options.log ?? (() => {});
  const app = createApp({
    store,
    clock,
    rateLimit: options.rateLimit,
    processing: options.processing,
    log,
  });
  return {
    fetch: app.fetch,
    catchUp: (origin) => catchUp(store, clock(), origin),
    deliverBySmtp: async (server) => {
      const { startSmtpDelivery } = await import('./smtp/delivery.ts');
      return startSmtpDelivery({ store, clock, server, log });
    },
    deliverByItself: () =>
      store.write(() => {
        endSmtpDelivery(store);
        return countDeliveries(store);
      }),
    close: store.close,
    path,
    apiKey: sandboxApiKey,
  };
}

/**
 * Deletes all data of the sandbox in `directory` and seeds it anew; processes that have it open
 * see the new data from their next request on, and one that hands mail to an SMTP server goes on
 * doing so. Throws `SandboxUnavailable`.
 */
export function resetSandbox(options: Pick<SandboxOptions, 'directory' | 'now'>): void {
  const store = openStore(options);
  try {
    store.write(() => {
      const deliverer = readSetting(store, 'delivery');
      for (const table of tables) store.run(`DELETE FROM ${table}`);
      store.run('DELETE FROM sqlite_sequence');
      seed(store, options.now());
      // Not before, or its examples would be handed over.
      if (deliverer !== undefined) writeSetting(store, 'delivery', deliverer);
    });
  } finally {
    store.close();
  }
}

/** The file in `directory` that holds the data. */
function databasePath(directory: string): string {
  return join(directory, `sandbox-v${schemaVersion}.sqlite`);
}

function openStore({ directory, now }: Pick<SandboxOptions, 'directory' | 'now'>): Store {
  const path = databasePath(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Made here and not by SQLite, which would let others read it; its side files copy the mode.
    closeSync(openSync(path, 'a', 0o600));
    const database = openDatabase(path);
    try {
      prepare(database, now);
      return createStore(database);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw new SandboxUnavailable(path, error);
  }
}

function prepare(database: DatabaseSync, now: () => number): void {
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
    seed(store, now());
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
