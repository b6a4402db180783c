import { createHash } from 'node:crypto';
import { type ContactBook, mayAskToConfirm } from '../../api/contact.ts';
import { isSandbox } from '../bulk/journal/account-in-use.ts';
import type { Claim } from '../bulk/journal/account-number.ts';
import { type Counts, howFar, isComplete } from '../bulk/journal/counts.ts';
import { type KnownAccount, relationTo } from '../bulk/journal/known-account.ts';
import { resumeCommand } from '../bulk/journal/named-run.ts';
import { type RunHeader, readHeader } from '../bulk/journal/run-header.ts';
import type { RunStore } from '../bulk/journal/run-store.ts';
import type { Context } from '../command/context.ts';
import { ConflictError, UsageError } from '../errors.ts';

/** Whether an import is incomplete, or may be. */
export function isOpen(counts: Counts): boolean {
  return !isComplete(counts) || counts.unknown > 0;
}

interface Place {
  readonly context: Pick<Context, 'flags' | 'system'>;
  readonly store: RunStore;
  readonly book: ContactBook;
  readonly claim: Claim;
}

interface OtherImport {
  readonly name: string;
  /** Undefined if its journal cannot be read. */
  readonly seen: { readonly header: RunHeader; readonly counts: Counts } | undefined;
}

/**
 * Imports into the same book other than the run in this directory. The id of a book is enough to know it: its
 * service may have several URLs. Only sandboxes have books of the same id, from the same seeds.
 */
function othersInto({ store, book, claim }: Place, directory: string): OtherImport[] {
  const isOfOtherSandbox = ({ services }: KnownAccount) =>
    services.every(isSandbox) && !services.includes(claim.account.service);
  return store.names().flatMap((name): OtherImport[] => {
    if (name === directory) return [];
    const label = store.label(name);
    if (label !== undefined && label.book !== book.id) return [];
    if (label?.account !== undefined && isOfOtherSandbox(label.account)) return [];
    const seen = store.look(name, (journal) => ({
      header: readHeader(journal),
      counts: journal.counts(),
    }));
    if (seen?.header === undefined) return label === undefined ? [] : [{ name, seen: undefined }];
    const { header, counts } = seen;
    const isInto = header.contacts?.book === book.id;
    return isInto ? [{ name, seen: { header, counts } }] : [];
  });
}

const why = 'With double opt-in, contacts of both could be asked to confirm twice.';

/**
 * Does some work on a book. With double opt-in, under a lock against other imports into it, so that contacts
 * are compared and sent before anybody else changes the book. Throws a `ConflictError` if it is locked.
 */
export async function aloneInBook<Value>(
  { store, book }: Pick<Place, 'store' | 'book'>,
  work: () => Promise<Value>,
): Promise<Value> {
  if (!mayAskToConfirm(book)) return await work();
  // By its id alone, which is the same at each URL of its service.
  const lock = store.takeBook(createHash('sha256').update(book.id).digest('hex'));
  if (lock === undefined) {
    throw new ConflictError(`Another process is importing into ${book.name}. ${why}`, {
      hint: 'Nothing was sent. Run this again once the other one has ended.',
    });
  }
  try {
    return await work();
  } finally {
    lock.remove();
  }
}

/**
 * Throws a `ConflictError` if another process imports into a book with double opt-in, and a `UsageError` if contacts of
 * another import may still arrive there: if this one sent them too, they would be asked to confirm twice.
 */
export function refuseDoubtful(place: Place, directory: string): void {
  const { context, store, book } = place;
  if (!mayAskToConfirm(book)) return;
  for (const { name, seen } of othersInto(place, directory)) {
    const inDoubt = seen === undefined ? 1 : seen.counts.begun + seen.counts.unknown;
    if (inDoubt === 0 && !store.isTaken(name)) continue;
    const how =
      seen === undefined ? 'its journal cannot be read' : howFar(seen.counts, seen.header);
    const Kind = store.isTaken(name) ? ConflictError : UsageError;
    throw new Kind(`Another import into ${book.name} is not complete: ${how}. ${why}`, {
      hint: `Nothing was sent. To resume it: ${resumeCommand(context, name)}`,
    });
  }
}

/**
 * Names of imports of this input, a path or `-`, that the run in this directory replaces. One that sends nothing
 * keeps the record of those that did, and each account its own.
 */
export function replacedBy(
  place: Place,
  directory: string,
  { input, emails }: Pick<RunHeader, 'input' | 'emails'>,
): string[] {
  const { account } = place.claim;
  return othersInto(place, directory).flatMap(({ name, seen }) => {
    if (seen?.header.input !== input || place.store.isTaken(name)) return [];
    if (relationTo(seen.header.account, seen.header.run, account) !== 'same') return [];
    // Standard input may have been different, so keep an incomplete run.
    const isReplaced = isOpen(seen.counts) ? input !== '-' : emails > 0 || seen.header.emails === 0;
    return isReplaced ? [name] : [];
  });
}
