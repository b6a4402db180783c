import type { ContactBook } from '../../../api/contact.ts';
import { MailerError, when } from '../../base/errors.ts';
import { looksLikeId } from '../../base/text/looks-like-id.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { fetchBook } from '../../command-line/command/names/books.ts';
import { dryRunByName } from '../../command-line/command/names/named-dry-run.ts';
import { DryRun, unknownBaseUrl } from '../../service/http/dry-run.ts';
import { readLedger } from './book-lock.ts';
import type { ImportOptions } from './import-options.ts';
import type { Ledger } from './ledger.ts';
import { contactsOf, createParts, type Parts } from './parts.ts';
import { prepareImport } from './prepare.ts';
import { requestBulk, requestChange } from './request.ts';

/** Prepares an import, and shows its first request instead of sending it, which ends the command. */
export async function showFirstOf(context: Context, asked: ImportOptions): Promise<undefined> {
  const { book: named } = asked;
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
    if (!(await asked.approve(plan))) return undefined;
    const show = async (id: string) => await showFirst(context, parts, id);
    if (book !== undefined) await show(book.id);
    else if (looksLikeId(named)) await show(named);
    else await dryRunByName(context, 'contact book', named, show);
    return undefined;
  } finally {
    ledger?.close();
    parts.close();
  }
}

/** Whether the account has a key, which a dry run does not need. */
async function hasKey(context: Context): Promise<boolean> {
  const key = context.account().then((account) => account.key());
  return (await key.catch(when(MailerError, () => undefined))) !== undefined;
}

async function showFirst(context: Context, parts: Parts, bookId: string): Promise<void> {
  const part = parts.next();
  if (part === undefined) return;
  const { requests, contacts: items } = parts.count('ready');
  if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
  // Also works without an account.
  const { baseUrl = unknownBaseUrl } = await context.account();
  const client = await context.clientFor({ baseUrl, apiKey: undefined });
  try {
    if (!part.alone) await requestBulk(client, bookId, part.json, {});
    for (const { contact } of contactsOf(part)) await requestChange(client, bookId, contact, {});
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    // Its digest would be of the first request only.
    const { digest, ...about } = error.about;
    throw new DryRun(error.request, { ...about, items, digest: requests > 1 ? undefined : digest });
  }
}
