import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../../../shared/load-sqlite.ts';
import { UsageError } from '../../base/errors.ts';
import { databaseFormat, refuseNewer } from '../../base/files/newer-format.ts';
import { openRegular } from '../../base/files/regular-file.ts';
import { explainStateError } from '../../base/files/state-errors.ts';
import { syncWithAbove } from '../../base/files/sync-directory.ts';
import { addressKey } from './contact-rows.ts';

/** Raised when an older version could no longer read the file. */
const format = 0;

/** How far an address is: no response yet, accepted by the service, or waited for in vain. */
export type ConfirmationState = 'begun' | 'queued' | 'unknown';

export type Ledger = ReturnType<typeof openLedger>;

/**
 * Whom a request was begun for that may ask them to confirm their subscription, until the book has them. The file is of
 * one book with double opt-in, is created with the first address, and has digests instead of addresses. Only the
 * process that holds the book's lock may change it.
 */
export function openLedger(path: string) {
  let database = existsSync(path) ? open(path) : undefined;
  let isNameSafe = false;
  const explained = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      throw explainStateError(error, path);
    }
  };
  /** Changes become one transaction, until a request begins. */
  const change = (text: string, emails: readonly string[], ...values: readonly string[]) => {
    if (database === undefined || emails.length === 0) return;
    if (!database.isTransaction) database.exec('BEGIN IMMEDIATE');
    const statement = database.prepare(text);
    for (const email of emails) statement.run(...values, digestOf(email));
  };
  const commit = () => {
    if (database?.isTransaction === true) database.exec('COMMIT');
  };
  const known = database?.prepare('SELECT state FROM asked WHERE address = ?');
  return {
    /** How far an address was when the ledger was opened, or undefined if it is not in it. */
    find(email: string): ConfirmationState | undefined {
      const row = explained(() => known?.get(digestOf(email)));
      // Written below.
      return row === undefined ? undefined : (String(row.state) as ConfirmationState);
    },
    /** Records that a request begins; safe on the disk, even if the power fails. */
    begin(emails: readonly string[]): void {
      explained(() => {
        database ??= open(path);
        change("INSERT OR REPLACE INTO asked (state, address) VALUES ('begun', ?)", emails);
        commit();
        // In each process: the one that created the file may have been killed before it did this.
        if (!isNameSafe) syncWithAbove(dirname(path));
        isNameSafe = true;
      });
    },
    note(emails: readonly string[], state: ConfirmationState): void {
      explained(() => change('UPDATE asked SET state = ? WHERE address = ?', emails, state));
    },
    /** Forgets addresses that the book has, or whose request certainly never happened. */
    forget(emails: readonly string[]): void {
      explained(() => change('DELETE FROM asked WHERE address = ?', emails));
    },
    close(): void {
      explained(commit);
      database?.close();
    },
  };
}

/** Opens a ledger, and creates it if need be. Throws a `UsageError` if it is damaged. */
function open(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    closeSync(openRegular(path, constants.O_RDWR | constants.O_CREAT, 0o600));
    const { DatabaseSync } = loadSqlite();
    database = new DatabaseSync(path, { timeout: 5000 });
    refuseNewer(path, databaseFormat(database), format);
    // On macOS, fsync alone does not flush the disk's own cache.
    database.exec('PRAGMA fullfsync = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec(
      'CREATE TABLE IF NOT EXISTS asked (address BLOB PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID',
    );
    const [health] = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {});
    if (health !== 'ok') throw new Error(String(health));
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof UsageError) throw error;
    const explained = explainStateError(error, path);
    if (explained !== error) throw explained;
    throw new UsageError(
      `The record of whom imports have asked to confirm cannot be read: ${path}`,
      {
        hint: 'Nothing was sent. If you move this file away, contacts of an import that was stopped may be asked a second time.',
        cause: error,
      },
    );
  }
}

/** An address of any case, as the ledger has it. */
function digestOf(email: string): Uint8Array {
  return createHash('sha256').update(addressKey(email)).digest().subarray(0, 16);
}
