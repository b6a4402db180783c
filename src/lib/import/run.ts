import { type ContactBook, mayAskToConfirm } from '../../api/contact.ts';
import type { Context } from '../command/context.ts';
import { nothingToDo } from '../command/flags/allow-empty.ts';
import { fetchBook } from '../command/names/books.ts';
import { dryRunByName } from '../command/names/named-dry-run.ts';
import { MailerError, when } from '../errors.ts';
import { unknownBaseUrl } from '../http/dry-run.ts';
import { done, type Result } from '../output/result.ts';
import { inputPath } from '../rows/open-input.ts';
import { tryResults } from '../rows/results-file.ts';
import { looksLikeId } from '../text/looks-like-id.ts';
import { grouped } from '../text/quantity.ts';
import { aloneInBook, readLedger } from './alone-in-book.ts';
import { finishImport } from './finish-import.ts';
import { arrivalWait, type ImportFlags } from './flags.ts';
import type { ImportOptions } from './import-options.ts';
import type { Ledger } from './ledger.ts';
import { type ImportOutcome, importInWords } from './outcome.ts';
import { contactsOf, createParts, type Parts } from './parts.ts';
import { type ImportPlan, planInWords, questionAboutImport } from './plan.ts';
import { prepareImport } from './prepare.ts';
import { requestBulk, requestChange } from './request.ts';

/** Imports the contacts of a file into a book, and shows the outcome. */
export async function importFile(
  context: Context,
  flags: ImportFlags & { readonly allowEmpty?: true | undefined },
  book: string,
  path: string,
): Promise<Result> {
  const whenEmpty = (message: string) => {
    if (flags.allowEmpty !== true) throw nothingToDo(message, 'Nothing was sent.');
  };
  const approve = async (plan: ImportPlan) => {
    if (plan.rows === 0) return true;
    const [counts = '', ...others] = planInWords(plan, flags.addVariables === true);
    const { yes, dryRun } = context.flags;
    // With --yes nobody is asked, and the result has the same numbers.
    if (yes !== true || dryRun === true) context.notes.say(counts);
    for (const line of others) context.notes.say(line);
    const question = questionAboutImport(plan, flags.resendUnknown === true);
    if (question !== undefined) await context.prompts.confirm(question);
    return true;
  };
  const find = async () =>
    await (await import('../contact/book/book-or-new.ts')).bookOrNew(context, book);
  const outcome = await makeContactsSo(context, { path, book, flags, whenEmpty, approve, find });
  return outcome === undefined ? nothingToImport : showImport(outcome);
}

/**
 * Makes the contacts of a book match the rows of a file. Checks all rows and compares them with the book
 * before sending anything; then sends only what is new or changed, and waits for it. After an import that was
 * stopped, the same command compares again.
 *
 * Returns undefined if there was nothing to send, as in a dry run.
 */
export async function makeContactsSo(
  context: Context,
  asked: ImportOptions,
): Promise<ImportOutcome | undefined> {
  const { flags, path } = asked;
  // Checked before any work.
  arrivalWait(flags);
  await inputPath(path, context.system);
  tryResults(flags.results, [['FILE', path]], context.system);
  if (context.flags.dryRun === true) return await showFirstOf(context, asked);
  const found = await (asked.find?.() ?? fetchBook(context, asked.book));
  return await aloneInBook(context, found, async (ledger) => {
    // An import that had the lock until now may have changed the book.
    const book = mayAskToConfirm(found) ? await fetchBook(context, found.id) : found;
    const comparedAt = context.system.monotonic();
    const parts = createParts();
    try {
      const plan = await prepareImport(context, { ...asked, book, parts, ledger });
      if (!(await asked.approve(plan))) return undefined;
      return await finishImport(context, { flags, book, plan, parts, ledger, comparedAt });
    } finally {
      parts.close();
    }
  });
}

/** The result if there was nothing to send. */
const nothingToImport = done({
  reply: { contacts: 0 },
  ids: [],
  message: 'There is nothing to send.',
  isNothing: true,
});

/** The result of an import. */
function showImport(outcome: ImportOutcome): Result {
  const { failure, ...numbers } = outcome;
  const message = importInWords(numbers);
  const carriedOut = { ids: undefined, what: message, next: undefined };
  const isNothing = numbers.rows === 0;
  return done({
    reply: numbers,
    ids: [numbers.contactBookId],
    message,
    carriedOut,
    isNothing,
    failure,
  });
}

/** Prepares an import, and shows its first request instead of sending it, which ends the command. */
async function showFirstOf(context: Context, asked: ImportOptions): Promise<undefined> {
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
  const { requests } = parts.count('ready');
  if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
  // Also works without an account.
  const { baseUrl = unknownBaseUrl } = await context.account();
  const client = await context.clientFor({ baseUrl, apiKey: undefined });
  if (!part.alone) await requestBulk(client, bookId, part.json, {});
  for (const { contact } of contactsOf(part)) await requestChange(client, bookId, contact, {});
}
