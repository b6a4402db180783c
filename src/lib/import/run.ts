import { type ContactBook, mayAskToConfirm } from '../../api/contact.ts';
import { nothingToDo } from '../bulk/input/allow-empty.ts';
import { fingerprintOf } from '../bulk/input/open-input.ts';
import { accountInUse } from '../bulk/journal/account-in-use.ts';
import { accountNumber, type Claim } from '../bulk/journal/account-number.ts';
import { explainStateError } from '../bulk/journal/journal-error.ts';
import { knownAs } from '../bulk/journal/known-account.ts';
import { lineToRecord } from '../bulk/journal/recorded-line.ts';
import { directoryName, partsOfName, runName } from '../bulk/journal/run-name.ts';
import { type RunStore, runsOf } from '../bulk/journal/run-store.ts';
import { sealed } from '../bulk/journal/same-account.ts';
import { whole } from '../bulk/journal/shard.ts';
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
    if (plan.requests > 0) await context.prompts.confirm(questionAboutImport(plan));
    return true;
  };
  const asked = { path, book, flags, purpose: 'import' } as const;
  const outcome = await makeContactsSo(context, asked, { whenEmpty, approve });
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
    const claim = {
      account: await accountInUse(context),
      sameAccount: asked.flags.sameAccount === true,
    };
    const found = await fetchBook(context, asked.book);
    return await aloneInBook({ store, book: found }, async () => {
      const known = await findKnown(task, found, claim);
      if (known !== undefined) {
        const resumed = await finishImport(task, { directory: known, known: true }, claim, found);
        if (asked.purpose === 'import' || resumed.failure !== undefined) return resumed;
      }
      const isSame = known === undefined && !mayAskToConfirm(found);
      // The resumed run, or an import that had the lock until now, may have changed the book.
      const book = isSame ? found : await fetchBook(context, found.id);
      const begun = await begin(task, book, hooks, claim);
      return begun && (await finishImport(task, begun, claim, book));
    });
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

/** The name of a run, the same for the same file, book and flags, and its directory for this account. */
function namesOf(
  { flags, asked, store }: ImportTask,
  book: Pick<ContactBook, 'id'>,
  fingerprint: PreparedImport['fingerprint'],
  claim: Claim,
) {
  const { lastWins = false, skipInvalid = false, addVariables = false } = flags;
  const { map, ignoreColumn } = flags;
  const choices = { lastWins, skipInvalid, addVariables, map, ignoreColumn };
  const shape = { contacts: asked.purpose, book: book.id, ...choices };
  const run = runName(shape, fingerprint, 1);
  const known = store.names().filter((name) => partsOfName(name).run === run);
  return { run, directory: directoryName(run, accountNumber(store, known, claim), whole) };
}

/** The incomplete run of a file; for stdin, that is known only after reading it. */
async function findKnown(
  task: ImportTask,
  book: ContactBook,
  claim: Claim,
): Promise<string | undefined> {
  const { context, path, input, store } = task;
  if (input === '-') return undefined;
  const { system, progress } = context;
  const fingerprint = await progress.during('Reading the file', () => fingerprintOf(path, system));
  const { directory } = namesOf(task, book, fingerprint, claim);
  return isLeft(store, directory) ? directory : undefined;
}

/** Whether a run is incomplete. A damaged one counts, because opening it reports the damage. */
function isLeft(store: RunStore, directory: string): boolean {
  const isOpenIn = () => store.look(directory, (journal) => isOpen(journal.counts()));
  return store.has(directory) && isOpenIn() !== false;
}

/** Prepares a new run, and asks; undefined if there is nothing to send. */
async function begin(
  task: ImportTask,
  book: ContactBook,
  { compared, whenEmpty, approve }: ImportHooks,
  claim: Claim,
): Promise<ImportRun | undefined> {
  const { context, flags, path, input, store, asked } = task;
  const { account } = claim;
  const files = store.begin(context.system.uuid());
  try {
    const comparedAt = context.system.monotonic();
    const options = { flags, path, book, directory: files.directory, compared, whenEmpty };
    const { plan, fingerprint } = await prepareImport(context, options);
    const { run, directory } = namesOf(task, book, fingerprint, claim);
    const among = { context, store, book, claim };
    if (isLeft(store, directory)) {
      files.discard();
      return { directory, known: true };
    }
    refuseDoubtful(among, directory);
    if (!(await approve(plan))) {
      files.discard();
      return undefined;
    }
    const line = await lineToRecord(context, flags);
    const { rows, toSend, requests, invalid, duplicates, otherProperties } = plan;
    const unsealed = {
      ...{ run, input, fingerprint, line, rows, requests, invalid, duplicates },
      emails: toSend,
      baseUrl: account.baseUrl,
      account: knownAs(run, account),
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
    const header = sealed(unsealed, account);
    const begun = { directory, known: false, comparedAt };
    const isKnown = store.has(directory);
    // The earlier record says more.
    if (isKnown && toSend === 0) return { ...begun, opened: files.openOnce(directory, header) };
    const replaced = [...replacedBy(among, directory, header), ...(isKnown ? [directory] : [])];
    for (const name of replaced) store.take(name).remove();
    files.finish({ directory, first: run, sending: 1 }, header);
    return begun;
  } catch (error) {
    files.discard();
    throw error;
  }
}
