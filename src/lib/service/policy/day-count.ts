import { closeSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../../../shared/load-sqlite.ts';
import { UsageError } from '../../base/errors.ts';
import { databaseFormat, refuseNewer } from '../../base/files/newer-format.ts';
import { ownDirectory } from '../../base/files/own-files.ts';
import { openRegular } from '../../base/files/regular-file.ts';
import { sha256 } from '../../base/text/sha256.ts';
import { visible } from '../../base/text/visible.ts';
import type { Rule } from './policy.ts';

export type DayCount = ReturnType<typeof createDayCount>;

interface Countable {
  /** Identifies a request with its retries, which count once; undefined for several requests. */
  readonly key?: string | undefined;
  readonly units: number;
}

export interface CountedRequest extends Countable {
  readonly key: string;
  /** The profile in use. */
  readonly profile: string;
}

export interface Exceeded {
  readonly limit: Rule<number>;
  readonly used: number;
}

export interface Reservation {
  /** Call it if the request was certainly not carried out. */
  release(): void;
}

export interface DayCountOptions {
  readonly directory: string;
  readonly user: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const fileName = 'mailed.sqlite';
/** Raised when an older version could no longer count with the file. */
const format = 0;
/** Milliseconds for which the service remembers a key, so that a repeated request counts once. */
const keyLifetime = 24 * 60 * 60 * 1000;
/** Milliseconds to wait for another process to finish counting. */
const patience = 5000;

/**
 * `holders` counts the requests that may have been carried out: if two processes send with one key and one
 * is rejected, it must not release the count of the other.
 */
const schema = `CREATE TABLE IF NOT EXISTS mailed (
  key TEXT PRIMARY KEY, day TEXT NOT NULL, at INTEGER NOT NULL,
  profile TEXT NOT NULL, units INTEGER NOT NULL, holders INTEGER NOT NULL
) STRICT`;

/** Counts recipients per day (UTC), in a file in `directory` that survives a crash. It is created on first use. */
export function createDayCount({ directory, user, now }: DayCountOptions) {
  const path = join(directory, fileName);
  const open = (make: boolean): DatabaseSync => {
    const own = ownDirectory(directory, user, { make });
    if (own === undefined) throw new Error('other users can change its directory');
    // Created here and not by SQLite, to set its mode.
    if (make) closeSync(openRegular(path, constants.O_WRONLY | constants.O_CREAT, 0o600));
    const { DatabaseSync } = loadSqlite();
    return new DatabaseSync(path, { timeout: patience });
  };
  /** The result of some work; undefined if there is no file and none is to be made. */
  const using = <Value>(make: boolean, work: (database: DatabaseSync) => Value) => {
    let database: DatabaseSync | undefined;
    try {
      if (!make && !statSync(path, { throwIfNoEntry: false })?.size) return undefined;
      database = open(make);
      refuseNewer(path, databaseFormat(database), format);
      return work(database);
    } catch (error) {
      // Of a newer version, which says what to do: deleting it would count from 0.
      if (error instanceof UsageError) throw error;
      // Without a count, nothing may be sent.
      throw new UsageError(
        `max-per-day: ${visible(path)} cannot be used to count recipients, so nothing is sent: ${error instanceof Error ? error.message : String(error)}`,
        {
          hint: 'Fix the cause, delete the file to count from 0, or set another directory in MAILER_STATE_DIR.',
          cause: error,
        },
      );
    } finally {
      // Closing rolls back an open transaction.
      database?.close();
    }
  };
  const within = <Value>(work: (database: DatabaseSync) => Value) =>
    using(true, (database) => {
      database.exec('BEGIN IMMEDIATE');
      database.exec(schema);
      const value = work(database);
      database.exec('COMMIT');
      return value;
    });
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const usedIn = (database: DatabaseSync, { profile }: Pick<Rule<number>, 'profile'>): number => {
    const all = 'SELECT coalesce(sum(units), 0) AS used FROM mailed WHERE day = ?';
    const day = dayOf(now());
    const row =
      profile === undefined
        ? database.prepare(all).get(day)
        : database.prepare(`${all} AND profile = ?`).get(day, profile);
    return Number(row?.used);
  };
  const exceededIn = (database: DatabaseSync, limits: readonly Rule<number>[], units: number) => {
    for (const limit of limits) {
      const used = usedIn(database, limit);
      if (used + units > limit.value) return { limit, used };
    }
    return undefined;
  };
  const forget = (database: DatabaseSync) =>
    database.prepare('DELETE FROM mailed WHERE at <= ?').run(now() - keyLifetime);
  return {
    /**
     * The first of these limits that the request would exceed today, and the count so far. A key that was
     * counted in the last 24 hours exceeds none.
     */
    exceeded: ({ key, units }: Countable, limits: readonly Rule<number>[]): Exceeded | undefined =>
      within((database) => {
        forget(database);
        const known = database.prepare('SELECT 1 FROM mailed WHERE key = ?');
        if (key !== undefined && known.get(sha256(key)) !== undefined) return undefined;
        return exceededIn(database, limits, units);
      }),
    /** The count of today that applies to this limit. Creates and changes nothing. */
    used: (limit: Pick<Rule<number>, 'profile'>): number =>
      using(false, (database) => usedIn(database, limit)) ?? 0,
    /** Keeps the count of a profile under its new name. Creates nothing. */
    rename: (from: string, to: string): void => {
      const change = 'UPDATE mailed SET profile = ? WHERE profile = ?';
      using(false, (database) => database.prepare(change).run(to, from));
    },
    /** Checks the same as `exceeded` and, if no limit is, counts the request. */
    reserve(
      { key: given, units, profile }: CountedRequest,
      limits: readonly Rule<number>[],
    ): Exceeded | Reservation {
      const key = sha256(given);
      const exceeded = within((database) => {
        forget(database);
        const again = 'UPDATE mailed SET holders = holders + 1 WHERE key = ?';
        if (database.prepare(again).run(key).changes > 0) return undefined;
        const over = exceededIn(database, limits, units);
        if (over !== undefined) return over;
        database
          .prepare('INSERT INTO mailed VALUES (?, ?, ?, ?, ?, 1)')
          .run(key, dayOf(now()), now(), profile, units);
        return undefined;
      });
      if (exceeded !== undefined) return exceeded;
      return {
        release: () =>
          within((database) => {
            database.prepare('UPDATE mailed SET holders = holders - 1 WHERE key = ?').run(key);
            database.prepare('DELETE FROM mailed WHERE key = ? AND holders <= 0').run(key);
          }),
      };
    },
  };
}
