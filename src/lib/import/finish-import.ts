import { type ContactBook, mayAskToConfirm } from '../../api/contact.ts';
import type { Counts } from '../bulk/journal/counts.ts';
import { explainStateError } from '../bulk/journal/journal-error.ts';
import { lineToRecord } from '../bulk/journal/recorded-line.ts';
import { writeHeader } from '../bulk/journal/run-header.ts';
import {
  type OpenRun,
  openRunBodies,
  type RunStore,
  removeRunBodies,
} from '../bulk/journal/run-store.ts';
import { checkSameAccount, type Resuming, sealed } from '../bulk/journal/same-account.ts';
import { createSendingProgress } from '../bulk/show/progress.ts';
import { writeRows } from '../bulk/show/results-file.ts';
import { afterSending, notWritten, withProgress } from '../bulk/show/resume-hint.ts';
import type { Context } from '../command/context.ts';
import { changeBook } from '../contact/book/update-book.ts';
import { grouped, quantity } from '../text/quantity.ts';
import { awaitArrival } from './await-arrival.ts';
import { type ContactResult, contactResults } from './contact-results.ts';
import { arrivalWait, type ImportFlags } from './flags.ts';
import { isOpen, refuseDoubtful } from './other-imports.ts';
import { type ImportOutcome, importInWords, outcomeOf } from './outcome.ts';
import { refuseAskingRest } from './refuse-asking.ts';
import { repeatChanges, sendContacts, settleEarlier } from './send-contacts.ts';

/** Milliseconds for which a comparison with the book counts as current. */
const fresh = 60_000;

/** What carrying out a run needs of the command line. */
interface FinishOptions {
  readonly context: Context;
  readonly store: RunStore;
  readonly flags: ImportFlags;
}

/** A prepared run. */
export interface ImportRun {
  readonly directory: string;
  readonly known: boolean;
  /** When it was compared with the book, on the monotonic clock. */
  readonly comparedAt?: number;
  /** The run if it is open already. */
  readonly opened?: OpenRun;
}

/** Sends the rest of a run, and waits until the book has all contacts. */
export async function finishImport(
  asked: FinishOptions,
  { directory, known, comparedAt = Number.NEGATIVE_INFINITY, opened }: ImportRun,
  resuming: Resuming,
  book: ContactBook,
): Promise<ImportOutcome> {
  const { context, store, flags } = asked;
  const isDone = (counts: Counts) => !isOpen(counts);
  const run = opened ?? store.open(directory, { check: known, isDone });
  const { journal, header } = run;
  let hasBegun = false;
  const begins = () => {
    hasBegun = true;
  };
  const sayingHowFar = async (work: Promise<void>): Promise<void> =>
    await work.catch((error: unknown) => {
      const isWhole = resuming.recorded === undefined;
      const explained = explainStateError(error, run.directory);
      throw withProgress(explained, run, { sending: 1, isWhole }, context);
    });
  try {
    await takeOver(asked, run, resuming);
    const counts = journal.counts();
    const isAnyLeft = isOpen(counts);
    if (known && (counts.ready > 0 || flags.resendUnknown === true)) {
      refuseDoubtful({ context, store, book, claim: resuming }, run.name);
    }
    if (known && mayAskToConfirm(book)) await refuseAskingRest(context, run);
    if (known && isAnyLeft) await context.prompts.confirm(questionAboutRest(run, book, flags));
    const names = header.contacts?.addVariables ?? [];
    const current = await addMissingVariables(context, book, names);
    if (isAnyLeft) {
      const resumed = { flags, isResumed: known, comparedAt, begins };
      await sayingHowFar(sendAndAwait(context, run, current, resumed));
    } else if (known) {
      context.notes.say('This import is already complete; no contacts were sent.');
    }
    const { results } = flags;
    if (results !== undefined) {
      const lines = {
        rows: contactResults(journal),
        header: ['row', 'email', 'outcome', 'id', 'message'],
        cells: resultCells,
      };
      await sayingHowFar(writeRows(context, run, results, lines)).catch((error: unknown) => {
        const { failure, ...numbers } = outcomeOf(context, run);
        throw hasBegun ? notWritten(error, run, importInWords(numbers), failure) : error;
      });
    }
    if (!isOpen(journal.counts())) letGoOfBodies(run);
    return outcomeOf(context, run);
  } catch (error) {
    throw hasBegun ? afterSending(explainStateError(error, run.directory)) : error;
  } finally {
    run.close();
  }
}

/** Records the account in use with the run. Throws like `checkSameAccount`. */
async function takeOver(
  { context, flags }: FinishOptions,
  { name, journal, header }: OpenRun,
  resuming: Resuming,
): Promise<void> {
  const counted = { name, header, counts: journal.counts() };
  const account = checkSameAccount(context, counted, resuming);
  const line = await lineToRecord(context, flags);
  const { baseUrl } = resuming.account;
  writeHeader(journal, sealed({ ...header, baseUrl, account, line }, resuming.account));
}

/** Adds missing variables to the book, and returns the changed book. */
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

/** Sends what is ready, and waits until the book has everything that was sent. */
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
    const arrived = createSendingProgress(context, journal.counts(), header.emails, 'Arrived');
    const waiting = () =>
      awaitArrival(sending, arrivalWait(flags), (contacts) => arrived.decided(contacts, 0));
    await progress.during('', waiting, arrived.view);
  };
  try {
    if (isResumed) {
      const resends = flags.resendUnknown === true;
      repeatChanges(run);
      // Contacts that may still arrive are sent again only if they do not.
      if (resends && mayAskToConfirm(sending.book)) await wait();
      const settling = () => settleEarlier(sending, resends);
      await progress.during('Reading what has arrived', settling);
    }
    const before = journal.counts();
    const left = { ...before, accepted: before.accepted + before.begun };
    const sent = createSendingProgress(context, left, header.emails);
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
  if (!mayAskToConfirm(book)) return left;
  const mails = ready > 0 ? ' They may get an email that asks for confirmation.' : '';
  if (resendUnknown !== true || begun + unknown === 0) return `${left}${mails}`;
  return `${left}${mails} Those that do not arrive will be sent again, and may be asked to confirm a second time.`;
}

function resultCells({ row, email, outcome, id = '', message = '' }: ContactResult): string[] {
  return [String(row), email, outcome, id, message];
}

function letGoOfBodies(run: OpenRun): void {
  try {
    removeRunBodies(run);
  } catch {
    // The book has everything; a failure here does not change that.
  }
}
