import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, constants, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { attempt } from '../../../shared/attempt.ts';
import { loadSqlite } from '../../../shared/load-sqlite.ts';
import { databaseFormat, refuseNewer } from '../../base/files/newer-format.ts';
import { ownDirectory } from '../../base/files/own-files.ts';
import { openRegular } from '../../base/files/regular-file.ts';
import { visible } from '../../base/text/visible.ts';
import type { LogEntry } from './log-shapes.ts';

/** What is known of a command before a request of it leaves. */
export type BegunEntry = Omit<
  LogEntry,
  'entry' | 'state' | 'exitCode' | 'requests' | 'recipients' | 'digest' | 'team' | 'ids' | 'run'
> & {
  /** The addresses among its words: people whom it may be about. */
  readonly addresses: readonly string[];
};

/** A request of a command that is about to leave. */
export interface LeavingRequest {
  readonly effect: LogEntry['effect'];
  readonly addresses: readonly string[];
  /** The contacts of a campaign, besides the addresses; null if nobody has counted them. */
  readonly contacts: number | null;
  /** Of everything that has left so far. */
  readonly digest: string;
  /** See `LogStore.rememberTeam`. */
  readonly account: string;
}

/** How a command has ended. */
export interface EndedEntry {
  readonly exitCode: number;
  readonly ids: readonly string[];
  readonly run: string | undefined;
}

/** Which entries are wanted. Times are in milliseconds since 1970. */
export interface LogQuery {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly profile?: string | undefined;
  /** The beginning of a command's words, such as `email`. */
  readonly command?: string | undefined;
  /** An address in a request. */
  readonly to?: string | undefined;
  readonly entry?: number | undefined;
  /** An id that was created or changed. */
  readonly id?: string | undefined;
  readonly run?: string | undefined;
  /** The most entries, the newest first. */
  readonly most: number;
}

interface StoreOptions {
  readonly directory: string;
  readonly user: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with a sentence about a damaged file that was set aside. */
  readonly warn: (text: string) => void;
}

const fileName = 'log.sqlite';
/** Raised when an older version could no longer write in the file. */
const format = 0;
/** Milliseconds to wait for another process: a log must not delay a command. */
const patience = 250;
/** Entries are kept for 400 days, and at most this many, with this many recipients. */
const longestKept = 400 * 24 * 60 * 60 * 1000;
const mostEntries = 20_000;
const mostRecipients = 2_000_000;
const mostIds = 100;

/** Recipients are kept as digests with a key of this file, so that the file shows none. */
const schema = `
  CREATE TABLE IF NOT EXISTS secret (key BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS entry (
    entry INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, command TEXT NOT NULL, line TEXT NOT NULL,
    effect TEXT NOT NULL, profile TEXT, base_url TEXT NOT NULL, user TEXT, host TEXT NOT NULL, directory TEXT NOT NULL,
    requests INTEGER NOT NULL DEFAULT 0, recipients INTEGER NOT NULL DEFAULT 0, exit_code INTEGER,
    ids TEXT NOT NULL DEFAULT '[]', run TEXT, digest TEXT, team TEXT, uncounted INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS team (account BLOB PRIMARY KEY, team TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS recipient (digest BLOB NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (digest, entry))
    STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS id (id TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (id, entry)) STRICT, WITHOUT ROWID;
`;

/**
 * The log of this user's commands, in a private file. Every function throws what the file system or SQLite throws; it
 * is the caller's to go on without a log.
 */
export class LogStore {
  readonly #options: StoreOptions;
  #database: DatabaseSync | undefined;
  #key: Uint8Array | undefined;
  #inode: number | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  get #path(): string {
    return join(this.#options.directory, fileName);
  }

  /** Opens the file; undefined if there is none and none is to be made. */
  #open(make: boolean): DatabaseSync | undefined {
    if (this.#database !== undefined) return this.#database;
    const { directory, user } = this.#options;
    if (!make && (statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) === 0)
      return undefined;
    const own = ownDirectory(directory, user, { make });
    if (own === undefined) throw new Error('other users can change its directory');
    // Created here and not by SQLite, to set its mode.
    if (make) closeSync(openRegular(this.#path, constants.O_WRONLY | constants.O_CREAT, 0o600));
    const { ino } = statSync(this.#path);
    try {
      return this.#begun();
    } catch (error) {
      if (!isDamagedLog(error)) throw error;
      this.setAside(ino);
      return this.#open(make);
    }
  }

  #begun(): DatabaseSync {
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(this.#path, { timeout: patience });
    try {
      refuseNewer(this.#path, databaseFormat(database), format);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    this.#inode = statSync(this.#path).ino;
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec(schema);
    this.#addColumns(database);
    return database;
  }

  /** Adds what files of earlier versions lack. */
  #addColumns(database: DatabaseSync): void {
    const isCurrent = () =>
      database
        .prepare("SELECT 1 FROM pragma_table_info('entry') WHERE name = 'uncounted'")
        .get() !== undefined;
    if (isCurrent()) return;
    this.#together(() => {
      if (isCurrent()) return;
      for (const column of ['digest TEXT', 'team TEXT', 'uncounted INTEGER NOT NULL DEFAULT 0']) {
        database.exec(`ALTER TABLE entry ADD COLUMN ${column}`);
      }
    });
  }

  /** Renames a damaged file, unless another process has done so, and says it. The next call starts a new one. */
  setAside(inode = this.#inode): void {
    attempt(() => this.close(), undefined);
    if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== inode) return;
    const aside = `${this.#path}.damaged-${this.#options.now()}`;
    // Before the file, without which another process begins a new log; they may have the only copy of the last commands.
    for (const end of ['-wal', '-shm']) {
      attempt(() => renameSync(`${this.#path}${end}`, `${aside}${end}`), undefined);
    }
    renameSync(this.#path, aside);
    this.#options.warn(
      `The log of commands was damaged. It is now ${visible(aside)}, and a new one was started.`,
    );
  }

  /** Opens the file to write in it. */
  #opened(): DatabaseSync {
    // `make` was given.
    return this.#open(true) as DatabaseSync;
  }

  #digestOf(address: string): Uint8Array {
    const database = this.#opened();
    if (this.#key === undefined) {
      const stored = database.prepare('SELECT key FROM secret').get()?.key;
      this.#key = stored instanceof Uint8Array ? stored : randomBytes(32);
      if (!(stored instanceof Uint8Array)) {
        database.prepare('INSERT INTO secret (key) VALUES (?)').run(this.#key);
      }
    }
    const digest = createHmac('sha256', this.#key).update(address.trim().toLowerCase()).digest();
    return digest.subarray(0, 16);
  }

  #together<Value>(work: (database: DatabaseSync) => Value): Value {
    const database = this.#opened();
    database.exec('BEGIN IMMEDIATE');
    try {
      const value = work(database);
      database.exec('COMMIT');
      return value;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Begins an entry, and forgets the oldest ones; returns its number. */
  begin(begun: BegunEntry): number {
    const { at, command, line, effect, profile, baseUrl, user, host, directory, addresses } = begun;
    return this.#together((database) => {
      this.#forget(database);
      const insert = database.prepare(
        `INSERT INTO entry (at, command, line, effect, profile, base_url, user, host, directory)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      const values = [command, line, effect, profile, baseUrl, user, host, directory];
      const entry = Number(insert.run(Date.parse(at), ...values).lastInsertRowid);
      this.#addPeople(database, entry, addresses);
      return entry;
    });
  }

  /** Adds a request that is about to leave. */
  leaves(entry: number, request: LeavingRequest): void {
    const { effect, addresses, contacts, digest, account } = request;
    this.#together((database) => {
      const counted = database.prepare(
        `UPDATE entry SET requests = requests + 1, recipients = recipients + ?, uncounted = max(uncounted, ?),
          effect = ?, digest = ?, team = (SELECT team FROM team WHERE account = ?) WHERE entry = ?`,
      );
      const more = [addresses.length + (contacts ?? 0), contacts === null ? 1 : 0];
      counted.run(...more, effect, digest, this.#digestOf(account), entry);
      this.#addPeople(database, entry, addresses);
    });
  }

  #addPeople(database: DatabaseSync, entry: number, addresses: readonly string[]): void {
    const insert = database.prepare('INSERT OR IGNORE INTO recipient VALUES (?, ?)');
    for (const address of addresses) insert.run(this.#digestOf(address), entry);
  }

  /** Stores the team of an account: a text that tells base URL and key, of which only a digest is kept. */
  rememberTeam(account: string, team: string): void {
    this.#together((database) => {
      database
        .prepare('INSERT OR REPLACE INTO team VALUES (?, ?)')
        .run(this.#digestOf(account), team);
    });
  }

  end(entry: number, { exitCode, ids, run }: EndedEntry): void {
    const kept = ids.slice(0, mostIds);
    this.#together((database) => {
      database
        .prepare('UPDATE entry SET exit_code = ?, ids = ?, run = ? WHERE entry = ?')
        .run(exitCode, JSON.stringify(kept), run ?? null, entry);
      const insert = database.prepare('INSERT OR IGNORE INTO id VALUES (?, ?)');
      for (const id of kept) insert.run(id, entry);
    });
  }

  /** The entries, the newest first; none if there is no log. */
  find({ since, until, profile, command, to, entry, id, run, most }: LogQuery): LogEntry[] {
    const database = this.#open(false);
    if (database === undefined) return [];
    const wanted: [condition: string, value: string | number | Uint8Array | undefined][] = [
      ['at >= ?', since],
      ['at < ?', until],
      ['profile = ?', profile],
      ["command || ' ' LIKE ? ESCAPE '\\'", command && `${command.replace(/[\\%_]/g, '\\$&')} %`],
      ['entry = ?', entry],
      ['entry IN (SELECT entry FROM recipient WHERE digest = ?)', to && this.#digestOf(to)],
      ['entry IN (SELECT entry FROM id WHERE id = ?)', id],
      ['run = ?', run],
    ];
    const given = wanted.flatMap(([condition, value]) =>
      value === undefined || value === '' ? [] : [{ condition, value }],
    );
    const where = given.map(({ condition }) => condition).join(' AND ') || 'true';
    return database
      .prepare(`SELECT * FROM entry WHERE ${where} ORDER BY entry DESC LIMIT ?`)
      .all(...given.map(({ value }) => value), most)
      .map(toEntry);
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #forget(database: DatabaseSync): void {
    const { newest = 0 } = database.prepare('SELECT max(entry) AS newest FROM entry').get() ?? {};
    const sum = `SELECT entry FROM (SELECT entry, sum(recipients) OVER (ORDER BY entry DESC) AS total FROM entry)
      WHERE total > ${mostRecipients} LIMIT 1`;
    const tooMany = Number(database.prepare(sum).get()?.entry ?? 0);
    const last = Math.max(Number(newest) - mostEntries, tooMany);
    const old = this.#options.now() - longestKept;
    for (const table of ['recipient', 'id']) {
      database
        .prepare(
          `DELETE FROM ${table} WHERE entry IN (SELECT entry FROM entry WHERE at < ? OR entry <= ?)`,
        )
        .run(old, last);
    }
    database.prepare('DELETE FROM entry WHERE at < ? OR entry <= ?').run(old, last);
  }
}

/** Whether SQLite says that a file is damaged, or no database: SQLITE_CORRUPT, SQLITE_NOTADB. */
export function isDamagedLog(error: unknown): boolean {
  const { errcode } = Object(error);
  return typeof errcode === 'number' && [11, 26].includes(errcode & 0xff);
}

function toEntry(row: Readonly<Record<string, SQLOutputValue>>): LogEntry {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  const exitCode = row.exit_code === null ? null : Number(row.exit_code);
  const requests = Number(row.requests);
  const ended = exitCode === 0 ? 'done' : requests === 0 ? 'stopped' : 'failed';
  return {
    entry: Number(row.entry),
    at: new Date(Number(row.at)).toISOString(),
    state: exitCode === null ? 'unfinished' : ended,
    exitCode,
    command: String(row.command),
    line: String(row.line),
    // Written by `begin` and `leaves`.
    effect: String(row.effect) as LogEntry['effect'],
    requests,
    recipients: Number(row.uncounted) === 1 ? null : Number(row.recipients),
    digest: text('digest'),
    // Written by `end`.
    ids: JSON.parse(String(row.ids)) as string[],
    run: text('run'),
    profile: text('profile'),
    team: text('team'),
    baseUrl: String(row.base_url),
    user: text('user'),
    host: String(row.host),
    directory: String(row.directory),
  };
}
