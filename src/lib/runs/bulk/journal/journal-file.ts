import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { loadSqlite } from '../../../../shared/load-sqlite.ts';
import { databaseFormat } from '../../../base/files/newer-format.ts';
import { assertRegular } from '../../../base/files/regular-file.ts';
import { explainStateError, isAboutAccess } from '../../../base/files/state-errors.ts';
import { Journal } from './journal.ts';
import { JournalError, NewerJournalError } from './journal-error.ts';
import { journalSchema, journalVersion, summed } from './journal-schema.ts';

/** Creates the journal of a run that is being prepared, in a directory that no other process uses yet. */
export function createJournal(path: string): Journal {
  // Created here and not by SQLite, to set its mode; SQLite gives its other files the same.
  closeSync(openSync(path, 'wx', 0o600));
  const database = open(path);
  // What is not prepared to its end is removed, so nothing of it is ever undone: each body is written once.
  database.exec('PRAGMA journal_mode = OFF');
  database.exec(`BEGIN; ${journalSchema} COMMIT`);
  database.exec(`PRAGMA user_version = ${journalVersion}`);
  const journal = new Journal(database, path);
  database.exec('PRAGMA synchronous = OFF');
  return journal;
}

/**
 * Opens the journal of a run; `check` verifies all its values. Throws a `JournalError` if it is damaged or of
 * another version.
 */
export function openJournal(path: string, { check }: { readonly check: boolean }): Journal {
  if (!existsSync(path)) throw new JournalError(path, 'is missing');
  let database: DatabaseSync | undefined;
  try {
    assertRegular(path);
    database = openAsAllowed(path);
    const version = databaseFormat(database);
    if (version > journalVersion) throw new NewerJournalError(path, version, journalVersion);
    if (version !== journalVersion) {
      throw new JournalError(path, `has version ${version}, not ${journalVersion}`);
    }
    if (check) refuseDamaged(database, path);
    return new Journal(database, path);
  } catch (error) {
    database?.close();
    if (error instanceof JournalError) throw error;
    const explained = explainStateError(error, path);
    throw explained === error ? new JournalError(path, 'cannot be read', error) : explained;
  }
}

function refuseDamaged(database: DatabaseSync, path: string): void {
  const [health] = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {});
  if (health !== 'ok') throw new JournalError(path, `is damaged: ${String(health)}`);
  for (const [table, columns] of summed) {
    // Not summed in SQL: the statement would hold all values until it ends.
    for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) {
      const values = columns.map((column) => row[column] ?? null);
      if (checksum(...values) !== row.sum) {
        throw new JournalError(path, `is damaged: ${table} ${String(values[0])}`);
      }
    }
  }
}

/**
 * Opens it read-only if its directory cannot be written to, where SQLite would otherwise fail even for a
 * reader. Not if the WAL file has changes, which this mode ignores.
 */
function openAsAllowed(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = open(path);
    database.prepare('PRAGMA user_version').get();
    return database;
  } catch (error) {
    database?.close();
    const changes = statSync(`${path}-wal`, { throwIfNoEntry: false });
    if (!isAboutAccess(error) || (changes?.size ?? 0) > 0) throw error;
    // https://sqlite.org/uri.html#uriimmutable
    return open(new URL('?immutable=1', pathToFileURL(path)));
  }
}

function open(path: string | URL): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout: 5000 });
  // On macOS, fsync alone does not flush the disk's own cache.
  database.exec('PRAGMA fullfsync = ON');
  // A run reads it once, in order: a cache of more than 512 KiB is of no use.
  database.exec('PRAGMA cache_size = -512');
  database.function('checksum', { varargs: true, deterministic: true }, checksum);
  return database;
}

/** A checksum of values that includes where each one ends. */
function checksum(...values: readonly SQLOutputValue[]): number {
  let sum = 0;
  for (const value of values) {
    const text = value === null ? '' : String(value);
    sum = crc32(text, crc32(`${value === null ? 'null' : text.length};`, sum));
  }
  return sum;
}
