import { type ContactBook, mayAskToConfirm } from '../../api/contact.ts';
import { fingerprintOf } from '../bulk/input/open-input.ts';
import { explainStateError } from '../bulk/journal/journal-error.ts';
import { lineToRecord } from '../bulk/journal/recorded-line.ts';
import { runName } from '../bulk/journal/run-name.ts';
import { type RunStore, runsOf } from '../bulk/journal/run-store.ts';
import { accountFingerprint } from '../bulk/journal/same-account.ts';
import type { Context } from '../command/context.ts';
import { fetchBook } from '../command/names/books.ts';
import type { Result } from '../output/result.ts';
import { finishImport, type ImportRun } from './finish-import.ts';
import { showFirstOf } from './first-request.ts';
import type { ImportFlags } from './flags.ts';
import { aloneInBook, isOpen, refuseDoubtful, replacedBy } from './other-imports.ts';
import type { ImportOutcome } from './outcome.ts';
import { type ImportPlan, planInWords, questionAboutImport } from './plan.ts';
import { type PreparedImport, prepareImport } from './prepare.ts';
import {
  type ImportHooks,
  type ImportOptions,
  type ImportTask,
  readImport,
} from './read-import.ts';
import { nothingToImport, showImport } from './show-import.ts';

/** Imports the contacts of a file into a book, and shows the outcome. */
export async function importFile(
  context: Context,
  flags: ImportFlags,
  book: string,
  path: string,
): Promise<Result> {
  const approve = async (plan: ImportPlan) => {
    const [counts = '', ...others] = planInWords(plan, flags.addVariables === true);
    const { yes, dryRun } = context.flags;
    // With --yes nobody is asked, and the result has the same numbers.
    if (yes !== true || dryRun === true) context.notes.say(counts);
    for (const line of others) context.notes.say(line);
    if (plan.requests > 0) await context.prompts.confirm(questionAboutImport(plan));
    return true;
  };
  const asked = { path, book, flags, purpose: 'import' } as const;
  const outcome = await makeContactsSo(context, asked, { approve });
  if (outcome !== undefined) return showImport(outcome);
  return nothingToImport;
}

/**
 * Makes the contacts of a book match the rows of a file. Checks all rows and compares them with the book
 * before sending anything; then sends only what is new or changed, and waits for it. Resumes a stopped run
 * first; `sync` then compares again.
 *
 * Returns undefined if there was nothing to send, as in a dry run.
 */
export async function makeContactsSo(
  context: Context,
  asked: ImportOptions,
  hooks: ImportHooks,
): Promise<ImportOutcome | undefined> {
  const store = runsOf(context);
  try {
    const task = await readImport(context, asked, store);
    if (context.flags.dryRun === true) return await showFirstOf(task, hooks);
    const apiKey = await (await context.account()).key();
    const found = await fetchBook(context, asked.book);
    return await aloneInBook({ store, baseUrl: task.baseUrl, book: found }, async () => {
      const known = await findKnown(task, found);
      if (known !== undefined) {
        const resumed = await finishImport(task, { directory: known, known: true }, apiKey, found);
        if (asked.purpose === 'import' || resumed.failure !== undefined) return resumed;
      }
      const isSame = known === undefined && !mayAskToConfirm(found);
      // The resumed run, or an import that had the lock until now, may have changed the book.
      const book = isSame ? found : await fetchBook(context, found.id);
      const begun = await begin(task, book, hooks, apiKey);
      return begun && (await finishImport(task, begun, apiKey, book));
    });
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

/** The name of a run: the same for the same file, book and flags. */
function nameOf(
  { baseUrl, flags, asked }: ImportTask,
  book: Pick<ContactBook, 'id'>,
  fingerprint: PreparedImport['fingerprint'],
): string {
  const { lastWins = false, skipInvalid = false, addVariables = false } = flags;
  const { map, ignoreColumn } = flags;
  const choices = { lastWins, skipInvalid, addVariables, map, ignoreColumn };
  const shape = { contacts: asked.purpose, book: book.id, ...choices };
  return runName({ baseUrl, shape }, fingerprint, 1);
}

/** The incomplete run of a file; for stdin, that is known only after reading it. */
async function findKnown(task: ImportTask, book: ContactBook): Promise<string | undefined> {
  const { context, path, input, store } = task;
  if (input === '-') return undefined;
  const { system, progress } = context;
  const fingerprint = await progress.during('Reading the file', () => fingerprintOf(path, system));
  const run = nameOf(task, book, fingerprint);
  return isLeft(store, run) ? run : undefined;
}

/** Whether a run is incomplete. A damaged one counts, because opening it reports the damage. */
function isLeft(store: RunStore, run: string): boolean {
  return store.has(run) && store.look(run, (journal) => isOpen(journal.counts())) !== false;
}

/** Prepares a new run, and asks; undefined if there is nothing to send. */
async function begin(
  task: ImportTask,
  book: ContactBook,
  { compared, approve }: ImportHooks,
  apiKey: string,
): Promise<ImportRun | undefined> {
  const { context, flags, path, input, store, baseUrl, asked } = task;
  const files = store.begin(context.system.uuid());
  try {
    const comparedAt = context.system.monotonic();
    const options = { flags, path, book, directory: files.directory, compared };
    const { plan, fingerprint } = await prepareImport(context, options);
    const run = nameOf(task, book, fingerprint);
    const among = { context, store, baseUrl, book };
    if (isLeft(store, run)) {
      files.discard();
      return { directory: run, known: true };
    }
    refuseDoubtful(among, run);
    if (!(await approve(plan))) {
      files.discard();
      return undefined;
    }
    const line = await lineToRecord(context, flags);
    const { rows, toSend, requests, invalid, duplicates, otherProperties } = plan;
    const header = {
      ...{ run, input, fingerprint, baseUrl, line, rows, requests, invalid, duplicates },
      emails: toSend,
      account: accountFingerprint({ run, line }, { baseUrl, apiKey }),
      sending: 1,
      key: undefined,
      shard: undefined,
      begunAt: context.system.now(),
      contacts: {
        book: book.id,
        bookName: book.name,
        purpose: asked.purpose,
        addVariables: flags.addVariables === true ? otherProperties : [],
        compared: {
          new: plan.new,
          changed: plan.changed,
          unchanged: plan.unchanged,
          unsubscribed: plan.unsubscribed,
          skipped: plan.skipped,
        },
      },
    };
    const begun = { directory: run, known: false, comparedAt };
    const isKnown = store.has(run);
    // The earlier record says more.
    if (isKnown && toSend === 0) return { ...begun, opened: files.openOnce(run, header) };
    const replaced = [...replacedBy(among, header), ...(isKnown ? [run] : [])];
    for (const name of replaced) store.take(name).remove();
    files.finish({ directory: run, first: run, sending: 1 }, header);
    return begun;
  } catch (error) {
    files.discard();
    throw error;
  }
}
