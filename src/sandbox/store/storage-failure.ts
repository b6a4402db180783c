/** The data cannot be read or written now. Nothing in the current transaction is stored. */
export class StorageFailure extends Error {}

/** The primary result code of a SQLite error; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** SQLITE_BUSY: another connection is writing. */
export const sqliteBusy = 5;

/** SQLITE_CONSTRAINT: the row already exists. */
export const sqliteConstraint = 19;

const damaged = 'it is damaged. To start over: mailer sandbox reset';

const reasons: Readonly<Record<number, string>> = {
  [sqliteBusy]: 'another process has locked it.',
  8: 'it is read-only.',
  10: 'the disk is full or failing.',
  11: damaged,
  13: 'the disk is full.',
  26: damaged,
};

/** Whether the file is damaged and must be recreated. */
export function isDamage(error: unknown): boolean {
  if (plainReason(error) === damaged) return true;
  return error instanceof Error && error.cause !== undefined && isDamage(error.cause);
}

/** The problem in plain words. */
export function storageFailureReason(error: unknown): string {
  return plainReason(error) ?? (error instanceof Error ? error.message : String(error));
}

/** A `StorageFailure` for errors that a person can fix; other errors unchanged. */
export function explained(error: unknown): unknown {
  const reason = plainReason(error);
  if (reason === undefined) return error;
  return new StorageFailure(`The sandbox's data cannot be used: ${reason}`, { cause: error });
}

function plainReason(error: unknown): string | undefined {
  return reasons[sqliteCode(error) ?? 0];
}
