/** The data cannot be read or written just now. Nothing of what was begun is stored. */
export class StorageFailure extends Error {}

/** The result code of a SQLite error, without what SQLite adds to it; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** SQLITE_BUSY: another connection is writing. */
export const sqliteBusy = 5;

const reasons: Readonly<Record<number, string>> = {
  [sqliteBusy]: 'another process has locked it.',
  8: 'it may only be read.',
  10: 'the disk is full, or it fails.',
  11: 'it is damaged. mailer sandbox reset begins anew.',
  13: 'the disk is full.',
};

/** What is the matter, in plain words where SQLite has none. */
export function reasonOf(error: unknown): string {
  return plainReason(error) ?? (error instanceof Error ? error.message : String(error));
}

/** What a person can do something about as a `StorageFailure`; any other error as it is. */
export function explained(error: unknown): unknown {
  const reason = plainReason(error);
  if (reason === undefined) return error;
  return new StorageFailure(`The sandbox's data cannot be used: ${reason}`, { cause: error });
}

function plainReason(error: unknown): string | undefined {
  return reasons[sqliteCode(error) ?? 0];
}
