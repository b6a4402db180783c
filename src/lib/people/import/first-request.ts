import type { ContactBook } from '../../../api/contact.ts';
import { looksLikeId } from '../../base/text/looks-like-id.ts';
import type { Context } from '../../command-line/command/context.ts';
import { hasKey } from '../../command-line/command/has-key.ts';
import { fetchBook } from '../../command-line/command/names/books.ts';
import { dryRunByName, withoutDigest } from '../../command-line/command/names/named-dry-run.ts';
import { readLedger } from './book-lock.ts';
import type { ImportOptions } from './import-options.ts';
import type { Ledger } from './ledger.ts';
import { createParts } from './parts.ts';
import { plannedCalls } from './planned-calls.ts';
import { prepareImport } from './prepare.ts';

/** Prepares an import, and has it shown instead of sending it, which ends the command. */
export async function showImportOf(context: Context, asked: ImportOptions): Promise<undefined> {
  const { book: named, flags } = asked;
  const parts = createParts();
  let ledger: Ledger | undefined;
  try {
    let book: ContactBook | undefined;
    if (await hasKey(context)) {
      book = await fetchBook(context, named);
      ledger = await readLedger(context, book);
    }
    const known = ledger && { find: ledger.find, forget: () => {} };
    const plan = await prepareImport(context, { ...asked, book, parts, ledger: known });
    const show = async (bookId: string) =>
      await asked.approve(plan, plannedCalls({ flags, parts, plan, bookId }));
    if (book !== undefined) await show(book.id);
    else if (looksLikeId(named)) await withoutDigest(() => show(named));
    else await withoutDigest(() => dryRunByName(context, 'contact book', named, show));
    return undefined;
  } finally {
    ledger?.close();
    parts.close();
  }
}
