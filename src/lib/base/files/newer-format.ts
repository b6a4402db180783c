import type { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';

/** What is said of a file that this version cannot know, with the number of its format and of the newest known one. */
export function byNewer(format: number, known: number): string {
  return `was written by a newer mailer (its format is ${format}; this version reads ${known})`;
}

export const newerHint =
  'Nothing was sent or changed. Use the newer version. mailer doctor shows whether PATH has more than one.';

/** Throws a `UsageError` if the file at `path` has a newer format than the `known` one. No format is the first one. */
export function refuseNewer(path: string, format: unknown, known: number): void {
  if (typeof format !== 'number' || format <= known) return;
  throw new UsageError(`${visible(path)} ${byNewer(format, known)}.`, { hint: newerHint });
}

/** The format of a database: `user_version`, which is 0 unless it was set. */
export function databaseFormat(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
