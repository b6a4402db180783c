import { usesDoubleOptIn } from '../../../api/contact.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nothingToDo } from '../../command-line/command/flags/allow-empty.ts';
import { fetchBook } from '../../command-line/command/names/books.ts';
import { checkPlan, type PlannedCall } from '../../command-line/command/plan-of.ts';
import { done, type Result } from '../../command-line/output/result.ts';
import { planDocument } from '../../service/http/dry-run.ts';
import { inputPath } from '../rows/open-input.ts';
import { tryResults } from '../rows/results-file.ts';
import { withBookLock } from './book-lock.ts';
import { finishImport } from './finish-import.ts';
import { showImportOf } from './first-request.ts';
import { arrivalWait, type ImportFlags } from './flags.ts';
import type { ImportOptions } from './import-options.ts';
import { type ImportOutcome, importInWords } from './outcome.ts';
import { createParts } from './parts.ts';
import { type ImportPlan, joiningOf, planInWords, questionAboutImport } from './plan.ts';
import { plannedCalls } from './planned-calls.ts';
import { prepareImport } from './prepare.ts';

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
  const approve = async (plan: ImportPlan, calls: Iterable<PlannedCall>) => {
    if (plan.rows === 0) return;
    const [counts = '', ...others] = planInWords(plan, flags.addVariables === true);
    const { notes } = context;
    const { yes, dryRun } = context.flags;
    // With --yes nobody is asked, and the result has the same numbers.
    if (yes !== true || dryRun === true) notes.say(counts);
    for (const line of others) notes.say(line);
    if (dryRun === true && plan.requests > 1) {
      notes.say(`This is the first of ${grouped(plan.requests)} requests that send contacts.`);
    }
    await checkPlan(context, calls, { isBrief: true, ...joiningOf(plan) });
    const question = questionAboutImport(plan, flags.resendUnknown === true);
    if (question !== undefined) await context.prompts.confirm(question);
  };
  const find = async () =>
    await (await import('../contact/book/book-or-new.ts')).bookOrNew(context, book);
  const outcome = await applyContacts(context, { path, book, flags, whenEmpty, approve, find });
  if (outcome !== undefined) return showImport(outcome);
  const reply = { contacts: 0, ...(await planDocument(undefined)) };
  return done({ reply, ids: [], message: 'There is nothing to send.', isNothing: true });
}

/**
 * Makes the contacts of a book match the rows of a file. Checks all rows and compares them with the book
 * before sending anything; then sends only what is new or changed, and waits for it. After an import that was
 * stopped, the same command compares again.
 *
 * Returns undefined in a dry run, if that has nothing to show.
 */
export async function applyContacts(
  context: Context,
  asked: ImportOptions,
): Promise<ImportOutcome | undefined> {
  const { flags, path } = asked;
  // Checked before any work.
  arrivalWait(flags);
  await inputPath(path, context.system);
  tryResults(flags.results, [['FILE', path]], context.system);
  if (context.flags.dryRun === true) return await showImportOf(context, asked);
  const found = await (asked.find?.() ?? fetchBook(context, asked.book));
  return await withBookLock(context, found, async (ledger) => {
    // An import that had the lock until now may have changed the book.
    const book = usesDoubleOptIn(found) ? await fetchBook(context, found.id) : found;
    const comparedAt = context.system.monotonic();
    const parts = createParts();
    try {
      const plan = await prepareImport(context, { ...asked, book, parts, ledger });
      const calls = plannedCalls({ flags, parts, plan, bookId: book.id });
      await asked.approve(plan, calls);
      return await finishImport({ context, flags, book, plan, parts, ledger, comparedAt });
    } finally {
      parts.close();
    }
  });
}

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
