import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ContactBook, usesDoubleOptIn } from '../../../api/contact.ts';
import { ConflictError } from '../../base/errors.ts';
import { recordsDirectory } from '../../base/files/directories.ts';
import { makeDirectories } from '../../base/files/make-directories.ts';
import { type ProcessLock, takeLock } from '../../base/files/process-lock.ts';
import { explainStateError } from '../../base/files/state-errors.ts';
import { accountInUse, isSandbox } from '../../command-line/command/account-in-use.ts';
import type { Context } from '../../command-line/command/context.ts';
import { type Ledger, openLedger } from './ledger.ts';

/**
 * Does some work on a book. With double opt-in, under a lock against other imports into it, so that contacts are compared
 * and sent before anybody else changes the book, and with its ledger. Throws a `ConflictError` if it is locked.
 */
export async function withBookLock<Value>(
  context: Context,
  book: ContactBook,
  work: (ledger: Ledger | undefined) => Promise<Value>,
): Promise<Value> {
  if (!usesDoubleOptIn(book)) return await work(undefined);
  const path = await placeOf(context, book);
  const lock = lockOf(path);
  if (lock === undefined) {
    throw new ConflictError(
      `Another process is importing into ${book.name}. With double opt-in, contacts of both could be asked to confirm twice.`,
      { hint: 'Nothing was sent. Run this again once the other one has ended.' },
    );
  }
  let ledger: Ledger | undefined;
  try {
    ledger = openLedger(`${path}.sqlite`);
    return await work(ledger);
  } finally {
    try {
      ledger?.close();
    } finally {
      lock.remove();
    }
  }
}

/** The ledger of a book with double opt-in, for reading. */
export async function readLedger(context: Context, book: ContactBook): Promise<Ledger | undefined> {
  return usesDoubleOptIn(book) ? openLedger(`${await placeOf(context, book)}.sqlite`) : undefined;
}

/**
 * Where lock and ledger of a book are: by its id alone, which is the same at each URL and with each key of its account.
 * Only sandboxes have books of the same id, from the same seeds; their data differs.
 */
async function placeOf(context: Context, { id }: ContactBook): Promise<string> {
  const { service } = await accountInUse(context);
  const named = JSON.stringify([isSandbox(service) ? service : '', id]);
  return join(
    recordsDirectory('imports', context),
    createHash('sha256').update(named).digest('hex'),
  );
}

function lockOf(path: string): ProcessLock | undefined {
  try {
    makeDirectories(join(path, '..'));
    return takeLock(`${path}.lock`);
  } catch (error) {
    throw explainStateError(error, path);
  }
}
