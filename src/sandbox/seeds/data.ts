import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setClockOffset } from '../model/clock.ts';
import { markAllRead } from '../model/email/unread.ts';
import { schema, schemaVersion } from '../store/schema.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { openDatabase } from '../store/sqlite.ts';
import {
  StorageFailure,
  sqliteBusy,
  sqliteCode,
  storageFailureReason,
} from '../store/storage-failure.ts';
import { createStore, type Store, usualPatience } from '../store/store.ts';
import { exampleData } from './example-data.ts';
import type { Seed } from './seed-file.ts';
import { InvalidSeed, type SeedCounts, storeSeed } from './seed-store.ts';

export interface DataOptions {
  /** The directory of the data. If missing, it is created, readable only by its owner. */
  readonly directory: string;
  /** The real clock: milliseconds since 1970. */
  readonly now: () => number;
  /** How far to set the sandbox's clock ahead of the real one, in milliseconds; by default unchanged. */
  readonly ahead?: number | undefined;
  /** Milliseconds to wait for other processes that write; 30 seconds by default. */
  readonly patience?: number | undefined;
  /** The content on first use; the example data by default. */
  readonly fresh?: FreshData | undefined;
}

/** The content of a new sandbox: the example data, unless `empty`, and the seeds. */
interface FreshData {
  readonly empty?: boolean | undefined;
  readonly seeds?: Seed | undefined;
}

/** The data cannot be opened, for example because of missing permission or space. */
export class SandboxUnavailable extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`Cannot open the sandbox's data in ${path}: ${storageFailureReason(cause)}`, { cause });
    this.path = path;
  }
}

/** There is data of another version only, which this one cannot read. */
export class OtherVersion extends SandboxUnavailable {
  constructor(directory: string, name: string, isNewer: boolean) {
    const whose = isNewer
      ? 'a newer mailer'
      : 'an older mailer, whose data this version cannot read';
    super(directory, new Error(`${name} was written by ${whose}.`));
  }
}

export function hasData(directory: string): boolean {
  return existsSync(databasePath(directory));
}

/** Empties all tables and fills them again. Returns the counts of stored seeds. */
export function resetData(store: Store, options: DataOptions): SeedCounts {
  return store.write(() => {
    const deliverer = readSetting(store, 'delivery');
    const resets = Number(readSetting(store, 'resets') ?? 0);
    // Newest tables first, because older ones do not refer to them.
    const tables = store.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid DESC",
    );
    // Where calls go belongs to the test, not to the data.
    for (const { name } of tables) if (name !== 'webhooks') store.run(`DELETE FROM ${name}`);
    const counts = begin(store, options);
    // The initial messages are not news.
    store.run('DELETE FROM webhook_calls');
    writeSetting(store, 'resets', String(resets + 1));
    // Not earlier, because that would send the example messages.
    if (deliverer !== undefined) writeSetting(store, 'delivery', deliverer);
    return counts;
  });
}

/** A name for the data, which it keeps until it is reset, wherever it is served. */
export function dataId(store: Store): string {
  const known = readSetting(store, 'data');
  if (known !== undefined) return known;
  return store.write(() => {
    // Another process may have been faster.
    const id = readSetting(store, 'data') ?? randomUUID();
    writeSetting(store, 'data', id);
    return id;
  });
}

/** Returns a function that calls `renew` if a process has reset the data since the last call. */
export function resetFollower(store: Store, renew: () => void): () => void {
  const resets = () => readSetting(store, 'resets');
  let known = resets();
  return () => {
    const now = resets();
    if (now === known) return;
    known = now;
    renew();
  };
}

/** Deletes the database files of all versions in `directory`, and SQLite's files beside them. */
export function deleteData(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (/^sandbox-v\d+\.sqlite(-wal|-shm)?$/.test(name))
      rmSync(join(directory, name), { force: true });
  }
}

/** Empties the database of this version in `directory`; data of other versions beside it stays. */
export function emptyData(directory: string): void {
  const path = databasePath(directory);
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  truncateSync(path);
}

/** Throws an `OtherVersion` if only other versions have data in `directory`: a new file would hide it. */
function refuseOtherVersion(directory: string): void {
  if (hasData(directory)) return;
  const versions = readdirSync(directory).flatMap((name) => {
    const [, version] = /^sandbox-v(\d+)\.sqlite$/.exec(name) ?? [];
    return version === undefined ? [] : Number(version);
  });
  if (versions.length === 0) return;
  const latest = Math.max(...versions);
  throw new OtherVersion(directory, `sandbox-v${latest}.sqlite`, latest > schemaVersion);
}

/** Fills empty tables. Call it in a transaction. */
function begin(store: Store, { now, ahead = 0, fresh = {} }: DataOptions): SeedCounts {
  if (ahead !== 0) setClockOffset(store, ahead);
  const at = now() + ahead;
  if (fresh.empty !== true) storeSeed(store, exampleData(at), at);
  markAllRead(store);
  return storeSeed(store, fresh.seeds ?? {}, at);
}

/** The data file in `directory`. */
export function databasePath(directory: string): string {
  return join(directory, `sandbox-v${schemaVersion}.sqlite`);
}

/** Opens the data, and creates it on first use. Throws `SandboxUnavailable`, which may be an `OtherVersion`, or `InvalidSeed`. */
export function openStore(options: DataOptions): Store {
  const { directory } = options;
  const path = databasePath(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    refuseOtherVersion(directory);
    // SQLite would let others read the file. Its files beside it get the same mode.
    closeSync(openSync(path, 'a', 0o600));
    const database = openDatabase(path);
    try {
      prepare(database, options);
      return createStore(database, options.patience, stillThere(path));
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof InvalidSeed || error instanceof OtherVersion) throw error;
    throw new SandboxUnavailable(path, error);
  }
}

/** Returns a function that tells whether the file that is now at `path` has been deleted. */
export function goneFrom(path: string): () => boolean {
  const { ino } = statSync(path);
  return () => statSync(path, { throwIfNoEntry: false })?.ino !== ino;
}

/**
 * Returns a function that throws once the file at `path` is deleted. Processes that have it open
 * can still write to it, but the data is lost.
 */
function stillThere(path: string): () => void {
  const isGone = goneFrom(path);
  return () => {
    if (!isGone()) return;
    throw new StorageFailure(
      "The sandbox's data cannot be used: it was deleted. Stop the sandbox and start it again.",
    );
  };
}

function prepare(database: DatabaseSync, options: DataOptions): void {
  database.exec(`PRAGMA busy_timeout = ${usualPatience}`);
  patiently(() => {
    const found = version(database);
    if (found !== 0 && found !== schemaVersion) {
      const { directory } = options;
      throw new OtherVersion(directory, basename(databasePath(directory)), found > schemaVersion);
    }
    const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode;
    if (mode !== 'wal') {
      // A new file has nothing to lose: waiting for the disk would take 10 ms or more.
      if (found === 0) database.exec('PRAGMA synchronous = OFF');
      database.exec('PRAGMA journal_mode = WAL');
    }
  });
  database.exec('PRAGMA synchronous = NORMAL');
  if (version(database) === schemaVersion) return;

  const store = createStore(database);
  store.write(() => {
    // Another process may have been faster.
    if (version(database) === schemaVersion) return;
    database.exec(schema);
    begin(store, options);
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

function version(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
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
