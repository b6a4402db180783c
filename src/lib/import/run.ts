import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ContactBook } from '../../api/contact.ts';
import type { SendingFlags } from '../bulk/flags.ts';
import { fingerprintOf, inputPath } from '../bulk/input/open-input.ts';
import { openBodies } from '../bulk/journal/bodies.ts';
import { writeHeader } from '../bulk/journal/header.ts';
import { explainStateError } from '../bulk/journal/journal-error.ts';
import { openJournal } from '../bulk/journal/journal-file.ts';
import { lineToRecord } from '../bulk/journal/recorded-line.ts';
import { checkService, onlyRecorded, recordedRun } from '../bulk/journal/recorded-run.ts';
import { runName } from '../bulk/journal/run-name.ts';
import {
  type OpenRun,
  openRunBodies,
  type RunStore,
  runFiles,
  runsOf,
} from '../bulk/journal/run-store.ts';
import { accountFingerprint, checkSameAccount } from '../bulk/journal/same-account.ts';
import { jsonOf } from '../bulk/send/part-emails.ts';
import { createSendingProgress } from '../bulk/show/progress.ts';
import { tryResults, writeRows } from '../bulk/show/results-file.ts';
import { afterSending, withProgress } from '../bulk/show/resume-hint.ts';
import { fetchBook } from '../command/books.ts';
import type { Context } from '../command/context.ts';
import { dryRunByName } from '../command/named-dry-run.ts';
import { changeBook } from '../contact/update-book.ts';
import { MailerError, UsageError } from '../errors.ts';
import { unknownBaseUrl } from '../http/dry-run.ts';
import { parseDuration } from '../input/duration.ts';
import { done, type Result } from '../output/result.ts';
import { looksLikeId } from '../text/looks-like-id.ts';
import { grouped, quantity } from '../text/quantity.ts';
import { awaitArrival } from './await-arrival.ts';
import type { ComparedRow } from './compare.ts';
import { type ContactResult, contactResults } from './contact-results.ts';
import { type ImportFlags, usualWait } from './flags.ts';
import { contactsOf } from './imported-contact.ts';
import { aloneInBook, isOpen, refuseDoubtful, replacedBy } from './other-imports.ts';
import { type ImportOutcome, importInWords, outcomeOf } from './outcome.ts';
import { type ImportPlan, planInWords, questionAboutImport } from './plan.ts';
import { type PreparedImport, prepareImport } from './prepare.ts';
import { requestBulk, requestChange } from './request.ts';
import { repeatChanges, sendContacts, settleEarlier } from './send-contacts.ts';
import { asksToConfirm } from './sending.ts';

/** Milliseconds after which a comparison with the book may be out of date. */
const fresh = 60_000;

/** Brings the contacts of a file into a book, and shows what came of it. */
export async function importFile(
  context: Context,
  flags: ImportFlags,
  book: string,
  path: string,
): Promise<Result> {
  const approve = async (plan: ImportPlan) => {
    for (const line of planInWords(plan, flags.addVariables === true)) context.notes.say(line);
    if (plan.requests > 0) await context.prompts.confirm(questionAboutImport(plan));
    return true;
  };
  const asked = { path, book, flags, purpose: 'import' } as const;
  const outcome = await makeContactsSo(context, asked, { approve });
  if (outcome !== undefined) return shown(outcome);
  return nothingToSend;
}

const nothingToSend = done({
  reply: { contacts: 0 },
  ids: [],
  message: 'There is nothing to send.',
});

/** What a command wants of an import. */
export interface ImportAsked {
  readonly path: string;
  /** Id or name. */
  readonly book: string;
  readonly flags: ImportFlags;
  /** Part of the run's name, so that one command does not resume the other's. */
  readonly purpose: 'import' | 'sync';
}

export interface ImportHooks {
  /** Told of each row that counts, in the order of the file, once it is compared with the book. */
  compared?(row: ComparedRow): void;
  /**
   * Called once all rows are compared and nothing is sent. Asks, and throws a `UsageError` on a no, or
   * returns false where nothing is to be sent.
   */
  approve(plan: ImportPlan): Promise<boolean>;
}

/**
 * Makes the contacts of a book as the rows of a file say. All rows are checked and compared with the book
 * before anything is sent; then only what is new or changed is sent and waited for. A run that was
 * stopped is resumed first, and `sync` then compares again.
 *
 * Undefined where nothing was to be sent, as in a dry run.
 */
export async function makeContactsSo(
  context: Context,
  asked: ImportAsked,
  hooks: ImportHooks,
): Promise<ImportOutcome | undefined> {
  const store = runsOf(context);
  try {
    const place = await readAsked(context, asked, store);
    if (context.flags.dryRun === true) return await showOnly(place, hooks);
    const apiKey = await (await context.account()).key();
    const found = await fetchBook(context, asked.book);
    return await aloneInBook({ store, baseUrl: place.baseUrl, book: found }, async () => {
      const known = await findKnown(place, found);
      if (known !== undefined) {
        const resumed = await carryOut(place, { directory: known, known: true }, apiKey, found);
        if (asked.purpose === 'import' || resumed.failure !== undefined) return resumed;
      }
      const isSame = known === undefined && found.doubleOptInEnabled !== true;
      // Contacts may have come by the run that was resumed, or by an import that had the book until now.
      const book = isSame ? found : await fetchBook(context, found.id);
      const begun = await begin(place, book, hooks, apiKey);
      return begun && (await carryOut(place, begun, apiKey, book));
    });
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

type Place = Awaited<ReturnType<typeof readAsked>>;

/** Reads what a command line asks for, without comparing it with its input. */
async function readAsked(context: Context, asked: ImportAsked, store: RunStore) {
  const { flags, path } = asked;
  // Before anything is done.
  waitOf(flags);
  const account = await context.account();
  const input = await inputPath(path, context.system);
  tryResults(flags.results, [['FILE', path]], context.system);
  const { dryRun = false } = context.flags;
  const baseUrl = dryRun ? (account.baseUrl ?? unknownBaseUrl) : account.service();
  return { context, asked, flags, path, input, store, baseUrl };
}

function waitOf({ waitTimeout = usualWait }: Pick<ImportFlags, 'waitTimeout'>): number {
  return parseDuration('--wait-timeout')(waitTimeout);
}

/** The name of a run: the same for the same file, book and flags. */
function nameOf(
  { baseUrl, flags, asked }: Place,
  book: Pick<ContactBook, 'id'>,
  fingerprint: PreparedImport['fingerprint'],
): string {
  const { lastWins = false, skipInvalid = false, addVariables = false } = flags;
  const choices = { lastWins, skipInvalid, addVariables };
  const shape = { contacts: asked.purpose, book: book.id, ...choices };
  return runName({ baseUrl, shape }, fingerprint, 1);
}

/** The run of a file that something is left of; of stdin that is known only once it has been read. */
async function findKnown(place: Place, book: ContactBook): Promise<string | undefined> {
  const { context, path, input, store } = place;
  if (input === '-') return undefined;
  const { system, progress } = context;
  const fingerprint = await progress.during('Reading the file', () => fingerprintOf(path, system));
  const run = nameOf(place, book, fingerprint);
  return isLeft(store, run) ? run : undefined;
}

/** Whether there is a run of which something is left. One that cannot be read says so when it is opened. */
function isLeft(store: RunStore, run: string): boolean {
  return store.has(run) && store.look(run, (journal) => isOpen(journal.counts())) !== false;
}

interface RunToSend {
  readonly directory: string;
  readonly known: boolean;
  /** When it was compared with the book, by the monotonic clock. */
  readonly comparedAt?: number;
}

/** Prepares a run that there is no journal of yet, and asks; undefined where it is not to be. */
async function begin(
  place: Place,
  book: ContactBook,
  { compared, approve }: ImportHooks,
  apiKey: string,
): Promise<RunToSend | undefined> {
  const { context, flags, path, input, store, baseUrl, asked } = place;
  const files = store.begin(context.system.uuid());
  try {
    const comparedAt = context.system.monotonic();
    const options = { flags, path, book, directory: files.directory, compared };
    const { plan, fingerprint } = await prepareImport(context, options);
    const run = nameOf(place, book, fingerprint);
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
    const replaced = [...replacedBy(among, input, run), ...(store.has(run) ? [run] : [])];
    for (const name of replaced) store.take(name).remove();
    const line = await lineToRecord(context, flags);
    const { rows, emails, requests, invalid, duplicates, otherProperties } = plan;
    files.finish(
      { directory: run, first: run, sending: 1 },
      {
        ...{ run, input, fingerprint, baseUrl, line, rows, emails, requests, invalid, duplicates },
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
        },
      },
    );
    return { directory: run, known: false, comparedAt };
  } catch (error) {
    files.discard();
    throw error;
  }
}

/** Prepares a run as if it was to be sent, and shows its first request, which ends the command. */
async function showOnly(place: Place, { compared, approve }: ImportHooks): Promise<undefined> {
  const { context, flags, path, store, asked } = place;
  const files = store.begin(context.system.uuid());
  try {
    const book = (await hasKey(context)) ? await fetchBook(context, asked.book) : undefined;
    const options = { flags, path, book, directory: files.directory, compared };
    const { plan } = await prepareImport(context, options);
    if (!(await approve(plan))) return undefined;
    const run = { directory: files.directory, baseUrl: place.baseUrl };
    const show = (id: string) => showFirst(context, run, id, plan.requests);
    if (book !== undefined) await show(book.id);
    else if (looksLikeId(asked.book)) await show(asked.book);
    else await dryRunByName(context, 'contact book', asked.book, show);
    return undefined;
  } finally {
    files.discard();
  }
}

/** Whether the account has a key. A dry run needs none. */
async function hasKey(context: Context): Promise<boolean> {
  try {
    await (await context.account()).key();
    return true;
  } catch (error) {
    if (error instanceof MailerError) return false;
    throw error;
  }
}

async function showFirst(
  context: Context,
  { directory, baseUrl }: { readonly directory: string; readonly baseUrl: string },
  bookId: string,
  requests: number,
): Promise<void> {
  const journal = openJournal(join(directory, runFiles.journal), { check: false });
  const [part] = journal.ready(1);
  const size = journal.bodiesLength();
  journal.close();
  if (part === undefined) return;
  const bodies = openBodies(join(directory, runFiles.bodies), size);
  try {
    if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
    // Where no account is set up, too.
    const client = await context.clientFor({ baseUrl, apiKey: undefined });
    if (!part.chunk.alone) await requestBulk(client, bookId, jsonOf(part, bodies), {});
    for (const { contact } of contactsOf(part, bodies)) {
      await requestChange(client, bookId, contact, {});
    }
  } finally {
    bodies.close();
  }
}

/** What carrying out a run needs of the command line. */
interface CarryOut {
  readonly context: Context;
  readonly store: RunStore;
  readonly flags: ImportFlags;
  /** Words that are only in the journal, as `checkSameAccount` takes them; see `resumeImport`. */
  readonly onlyRecorded?: readonly string[];
}

/** Sends what is left of a run and waits until the book has it. */
async function carryOut(
  asked: CarryOut,
  { directory, known, comparedAt = Number.NEGATIVE_INFINITY }: RunToSend,
  apiKey: string,
  book: ContactBook,
): Promise<ImportOutcome> {
  const { context, store, flags } = asked;
  const run = store.open(directory, { check: known, isDone: (counts) => !isOpen(counts) });
  const { journal, header } = run;
  let hasBegun = false;
  const begins = () => {
    hasBegun = true;
  };
  const sayingHowFar = async (work: Promise<void>): Promise<void> =>
    await work.catch((error: unknown) => {
      const isWhole = asked.onlyRecorded === undefined;
      const explained = explainStateError(error, run.directory);
      throw withProgress(explained, run, { sending: 1, isWhole }, context);
    });
  try {
    await takeOver(asked, run, apiKey);
    const counts = journal.counts();
    const isAnyLeft = isOpen(counts);
    if (known && (counts.ready > 0 || flags.resendUnknown === true)) {
      refuseDoubtful({ context, store, baseUrl: header.baseUrl, book }, run.name);
    }
    if (known && isAnyLeft) await context.prompts.confirm(questionAboutRest(run, book, flags));
    const names = header.contacts?.addVariables ?? [];
    const current = await addMissingVariables(context, book, names);
    if (isAnyLeft) {
      const resumed = { flags, isResumed: known, comparedAt, begins };
      await sayingHowFar(sendAndAwait(context, run, current, resumed));
    }
    const { results } = flags;
    if (results !== undefined) {
      const lines = {
        rows: contactResults(journal),
        header: ['row', 'email', 'outcome', 'id', 'message'],
        cells: resultCells,
      };
      await sayingHowFar(writeRows(context, run, results, lines));
    }
    if (!isOpen(journal.counts())) letGoOfBodies(run);
    return outcomeOf(context, run);
  } catch (error) {
    throw hasBegun ? afterSending(explainStateError(error, run.directory)) : error;
  } finally {
    run.close();
  }
}

/** Makes a run this key's; throws a `UsageError` where it is another one's. */
async function takeOver(
  { context, flags, onlyRecorded = [] }: CarryOut,
  { journal, header }: OpenRun,
  apiKey: string,
): Promise<void> {
  const credentials = { baseUrl: (await context.account()).service(), apiKey };
  const sameAccount = flags.sameAccount === true;
  checkSameAccount(journal, header, { ...credentials, sameAccount, onlyRecorded });
  const line = await lineToRecord(context, flags);
  const account = accountFingerprint({ run: header.run, line }, credentials);
  writeHeader(journal, { ...header, account, line });
}

/** Returns the book with its new variables. */
async function addMissingVariables(
  context: Context,
  book: ContactBook,
  names: readonly string[],
): Promise<ContactBook> {
  const known = new Set((book.variables ?? []).map((name) => name.toLowerCase()));
  const missing = names.filter((name) => !known.has(name.toLowerCase()));
  if (missing.length === 0) return book;
  const variables = { add: missing, remove: [] };
  await changeBook(context, book.id, { fields: {}, variables, properties: undefined });
  return { ...book, variables: [...(book.variables ?? []), ...missing] };
}

interface SendOptions {
  readonly flags: ImportFlags;
  readonly isResumed: boolean;
  readonly comparedAt: number;
  readonly begins: () => void;
}

/** Sends what is ready, and waits until the book has all that was sent. */
async function sendAndAwait(
  context: Context,
  run: OpenRun,
  book: ContactBook,
  { flags, isResumed, comparedAt, begins }: SendOptions,
): Promise<void> {
  const { system, progress } = context;
  const { journal, header } = run;
  const bodies = openRunBodies(run);
  const isStale = () => system.monotonic() - comparedAt > fresh;
  const keepGoing = flags.keepGoing === true;
  const sending = { context, run, bodies, book, begins, isStale, keepGoing };
  const wait = async () => {
    const arrived = await createSendingProgress(
      context,
      journal.counts(),
      header.emails,
      'Arrived',
    );
    const waiting = () =>
      awaitArrival(sending, waitOf(flags), (contacts) => arrived.decided(contacts, 0));
    await progress.during('', waiting, arrived.view);
  };
  try {
    if (isResumed) {
      const resends = flags.resendUnknown === true;
      repeatChanges(run);
      // What may still arrive is sent again only if it does not.
      if (resends && asksToConfirm(sending)) await wait();
      const settling = () => settleEarlier(sending, resends);
      await progress.during('Reading what has arrived', settling);
    }
    const before = journal.counts();
    const left = { ...before, accepted: before.accepted + before.begun };
    const sent = await createSendingProgress(context, left, header.emails);
    const send = () => sendContacts(sending, sent.decided);
    await progress.during('', send, sent.view);
    await wait();
  } finally {
    bodies.close();
  }
}

function questionAboutRest(
  { journal, header }: OpenRun,
  book: ContactBook,
  { resendUnknown }: ImportFlags,
): string {
  const { ready, begun, unknown } = journal.counts();
  const all = quantity(header.emails, 'contact');
  const isOnlyDoubt = ready + begun === 0;
  const left = isOnlyDoubt
    ? `Resume this import? The outcome of ${grouped(unknown)} of ${all} is unknown.`
    : `Resume this import? ${grouped(ready + begun)} of ${all} are left.`;
  const mayMailAgain = resendUnknown === true && book.doubleOptInEnabled === true;
  if (!mayMailAgain || begun + unknown === 0) return left;
  return `${left} Those that do not arrive will be sent again, and may be asked to confirm a second time.`;
}

function resultCells({ row, email, outcome, id = '', message = '' }: ContactResult): string[] {
  return [String(row), email, outcome, id, message];
}

/** Removes the bodies of a run of which nothing can be sent any more. */
function letGoOfBodies({ directory }: OpenRun): void {
  try {
    rmSync(join(directory, runFiles.bodies), { force: true });
  } catch {
    // All is in the book, and this is no reason to say anything else.
  }
}

function shown(outcome: ImportOutcome): Result {
  const { failure, ...numbers } = outcome;
  return done({ reply: numbers, ids: [outcome.run], message: importInWords(numbers), failure });
}

/**
 * Resumes an import from its journal, without its input; flags given now win. Throws like `recordedRun`, and a
 * `UsageError` for another service than the run's.
 */
export async function resumeImport(
  context: Context,
  given: SendingFlags,
  named: string,
): Promise<Result> {
  const { store, directory, header, line } = recordedRun(context, named);
  try {
    refuseFlagsOfEmails(given);
    const { wait: _, ...recorded } = line.sending;
    const flags: ImportFlags = { ...recorded, ...given };
    waitOf(flags);
    tryResults(flags.results, [['FILE', header.input]], context.system);
    const bookId = header.contacts?.book ?? '';
    const account = await checkService(context, header);
    if (context.flags.dryRun === true) {
      const run = { directory: store.path(directory), baseUrl: header.baseUrl };
      await showFirst(context, run, bookId, 1);
      return nothingToSend;
    }
    const book = await fetchBook(context, bookId);
    const asked = { context, store, flags, onlyRecorded: onlyRecorded(context, line, given) };
    const found = { directory, known: true };
    const apiKey = await account.key();
    const place = { store, baseUrl: header.baseUrl, book };
    return shown(await aloneInBook(place, async () => await carryOut(asked, found, apiKey, book)));
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

/** Throws a `UsageError` for flags of `run resume` that are about emails. */
function refuseFlagsOfEmails({ wait, concurrency, rate }: SendingFlags): void {
  const given = [
    ...(wait === undefined ? [] : ['--wait']),
    ...(concurrency === undefined ? [] : ['--concurrency']),
    ...(rate === undefined ? [] : ['--rate']),
  ];
  if (given.length === 0) return;
  throw new UsageError(`This run is an import of contacts, which has no ${given.join(', ')}`);
}
