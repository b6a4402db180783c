import { resolve } from 'node:path';
import type { Context } from '../command/context.ts';
import { type EmailWait, emailWait } from '../email/wait-flags.ts';
import { UsageError } from '../errors.ts';
import { done, type Result } from '../output/result.ts';
import { visible } from '../text/visible.ts';
import type { BulkFlags, SendingFlags } from './flags.ts';
import { type Fingerprint, fingerprintOf, isFile, openInput } from './input/open-input.ts';
import { readRows } from './input/read-rows.ts';
import { createClocks, type Moment } from './journal/clocks.ts';
import { type Counts, isComplete } from './journal/counts.ts';
import { type FoundRun, findRun, removeUnsent } from './journal/find-run.ts';
import { type RunHeader, readHeader, writeHeader } from './journal/header.ts';
import { checkGivenKey } from './journal/idempotency-key.ts';
import type { Journal } from './journal/journal.ts';
import { explainStateError, JournalError } from './journal/journal-error.ts';
import { giveUpForgotten } from './journal/key-lifetime.ts';
import { lineToRecord } from './journal/recorded-line.ts';
import { runName, shapeDigests } from './journal/run-name.ts';
import { type NewRun, type OpenRun, type RunStore, runsOf } from './journal/run-store.ts';
import { accountFingerprint, checkSameAccount } from './journal/same-account.ts';
import { parseShard, type Shard, whole } from './journal/shard.ts';
import { type CommonRequest, readCommon } from './prepare/common.ts';
import type { Common } from './prepare/email-of-row.ts';
import { type Prepared, prepare } from './prepare/prepare.ts';
import { letGoOfBodies } from './send/accepted-emails.ts';
import { askTime } from './send/ask-time.ts';
import { createRate } from './send/rate.ts';
import { sendRest } from './send/send-rest.ts';
import { showFirstRequest } from './show/first-request.ts';
import { followRun, refuseToFollow } from './show/follow-run.ts';
import { createCheckingProgress, createSendingProgress } from './show/progress.ts';
import { tryResults, writeResults } from './show/results-file.ts';
import { afterSending, againFlag, withProgress } from './show/resume-hint.ts';
import { rowResults } from './show/row-results.ts';
import { showOutcome } from './show/show-results.ts';
import {
  aboutReplies,
  questionAbout,
  questionAboutRest,
  refuseInvalid,
  sentBefore,
  warnings,
  whyUnknown,
} from './show/summary.ts';

/** What a command line asks for, read but not compared with its input. */
interface Asked {
  readonly context: Context;
  readonly flags: BulkFlags;
  readonly path: string;
  /** Absolute path of a file, or `-` for what can be read only once. */
  readonly input: string;
  readonly shard: Shard;
  readonly wait: EmailWait | undefined;
  readonly request: CommonRequest;
  readonly baseUrl: string;
  readonly store: RunStore;
}

/**
 * Sends the rows of a file, each exactly once. The first time, every row is checked and written
 * down before anything is sent; after that the same command line resumes where it stopped.
 */
export async function sendFile(context: Context, flags: BulkFlags, path: string): Promise<Result> {
  const store = runsOf(context);
  try {
    const asked = await readAsked(context, flags, path, store);
    if (context.flags.dryRun === true) return await showOnly(asked);
    // Not when it is needed first: that would be after a million rows were checked.
    const apiKey = await (await context.account()).key();
    const found = (await findKnown(asked)) ?? (await begin(asked, apiKey));
    return await carryOut({ ...asked, isWhole: true }, found, apiKey);
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

async function readAsked(
  context: Context,
  flags: BulkFlags,
  path: string,
  store: RunStore,
): Promise<Asked> {
  if (flags.idempotencyKey !== undefined) checkGivenKey(flags.idempotencyKey);
  const wait = await emailWait(flags);
  if (flags.again === true && flags.resendUnknown === true) {
    throw new UsageError('--resend-unknown: --again begins another sending when this is complete', {
      hint: 'Leave --again out, or say which sending is meant, such as the second: --again=2',
    });
  }
  const { system } = context;
  const account = await context.account();
  const readsFile = await isFile(path, system);
  tryResults(flags, path, system);
  return {
    context,
    flags,
    path,
    input: readsFile ? resolve(system.cwd, path) : '-',
    shard: flags.shard === undefined ? whole : parseShard(flags.shard),
    wait,
    request: await readCommon(context, flags),
    // A dry run needs none.
    baseUrl: context.flags.dryRun === true ? (account.baseUrl ?? '') : account.service(),
    store,
  };
}

/** Prepares a run as if it was to be sent, and shows its first request. */
async function showOnly(asked: Asked): Promise<Result> {
  const { context, flags, store, request, baseUrl } = asked;
  const files = store.begin(context.system.uuid());
  try {
    const common = await request.common(flags.allowPast === true);
    const { prepared, fingerprint } = await check(asked, files, common);
    approve(asked, prepared);
    const sending = flags.again === true ? find(asked, fingerprint).sending : (flags.again ?? 1);
    const run = runName({ baseUrl, shape: request.shape }, fingerprint, sending);
    const { requests } = prepared;
    await showFirstRequest(context, files, { run, key: flags.idempotencyKey, sending }, requests);
    return done({ reply: { emails: 0 }, ids: [], message: 'There is nothing to send.' });
  } finally {
    files.discard();
  }
}

/** The run of a file that there is a journal of; of stdin that is known only once it has been read. */
async function findKnown(asked: Asked): Promise<FoundRun | undefined> {
  if (asked.input === '-') return undefined;
  const { system, progress } = asked.context;
  const fingerprint = await progress.during('Reading the file', () =>
    fingerprintOf(asked.path, system),
  );
  const found = find(asked, fingerprint);
  return found.known ? found : undefined;
}

function find(asked: Asked, fingerprint: Fingerprint): FoundRun {
  const { context, store, request, baseUrl, path, input, shard, flags } = asked;
  const command = { baseUrl, shape: request.shape };
  const name = input === '-' ? 'This input' : path;
  return findRun(store, { context, command, fingerprint, input, name, shard, again: flags.again });
}

/** Prepares a run that there is no journal of yet, and asks. */
async function begin(asked: Asked, apiKey: string): Promise<FoundRun> {
  const { context, flags, store, input, baseUrl, request, shard } = asked;
  const files = store.begin(context.system.uuid());
  try {
    const { common, tooLate } = await commonOf(asked);
    const { prepared, fingerprint } = await check(asked, files, common);
    const found = find(asked, fingerprint);
    if (found.known) {
      files.discard();
      return found;
    }
    if (tooLate !== undefined) throw tooLate;
    approve(asked, prepared);
    if (found.before !== undefined) context.notes.warn(sentBefore(asked.path, found.before));
    await context.prompts.confirm(questionAbout(prepared, flags.shard));
    for (const name of found.unsent ?? []) removeUnsent(store, name);
    const { rows, emails, requests, invalid, duplicates } = prepared;
    files.finish(found, {
      run: found.run,
      sending: found.sending,
      account: accountFingerprint(found.run, apiKey),
      input,
      fingerprint,
      baseUrl,
      shape: shapeDigests(request.shape),
      line: await lineToRecord(context, flags),
      key: flags.idempotencyKey,
      shard: flags.shard,
      begunAt: context.system.now(),
      rows,
      emails,
      requests,
      // Every shard reads all rows; only the first one reports problems.
      invalid: shard.index === 1 ? invalid : 0,
      duplicates,
    });
    return found;
  } catch (error) {
    files.discard();
    throw error;
  }
}

/**
 * What the rows are made with. Where it is known only later whether there is a run of them already,
 * a `--scheduled-at` in the past is `tooLate` for a new one.
 */
async function commonOf({
  flags,
  input,
  request,
}: Asked): Promise<{ common: Common; tooLate?: UsageError }> {
  try {
    return { common: await request.common(flags.allowPast === true) };
  } catch (error) {
    if (input !== '-' || !(error instanceof UsageError)) throw error;
    return { common: await request.common(true), tooLate: error };
  }
}

/** Milliseconds within which a signal to a whole pipeline has come to all of it. */
const signalAfterEnd = 20;

/** Checks every row and writes down what is to be sent. */
async function check(asked: Asked, files: NewRun, common: Common) {
  const { context, flags, path, shard } = asked;
  const { system, progress } = context;
  const input = await openInput(path, system);
  const { checked, view } = await createCheckingProgress(context, input.share);
  const checking = () =>
    prepare({
      rows: readRows(input),
      common,
      unique: flags.unique === true,
      shard,
      files,
      signal: system.signal,
      report: checked,
    });
  const prepared = await progress.during('', checking, view);
  // Ctrl-C ends the program that writes into a pipe too, and what it had written is not all. Our
  // own signal comes at the same time as the end of the input, or a moment later.
  system.signal.throwIfAborted();
  if (asked.input === '-') await system.sleep(signalAfterEnd, system.signal);
  if (prepared.rows === 0) throw new UsageError(`${input.name} holds no emails`);
  return { prepared, fingerprint: input.fingerprint() };
}

/** Throws a `UsageError` for rows that are not to be sent, and tells what to know before a yes. */
function approve({ context, flags, wait }: Asked, prepared: Prepared): void {
  refuseInvalid(prepared, flags.skipInvalid === true);
  if (wait !== undefined) refuseToFollow(prepared.emails);
  for (const lines of warnings(prepared, flags.unique === true)) context.notes.warn(...lines);
  for (const line of aboutReplies(prepared)) context.notes.say(line);
}

/** How a run that is prepared is to be sent. */
interface Sending extends Pick<Asked, 'context' | 'wait' | 'store'> {
  readonly flags: SendingFlags;
  /** Whether the command line could begin the run, too, and not only resume it. */
  readonly isWhole: boolean;
}

/** Which run is to be sent. */
type RunToSend = Pick<FoundRun, 'directory' | 'sending' | 'known'>;

/** Sends what is left of a run, and shows the outcome of every row. */
export async function carryOut(asked: Sending, found: RunToSend, apiKey: string): Promise<Result> {
  const isDone = (counts: Counts) => !isSendable(counts, asked.flags);
  const run = asked.store.open(found.directory, { check: found.known, isDone });
  let hasBegun = false;
  const begins = () => {
    hasBegun = true;
  };
  try {
    return await carryOutOpen(run, asked, { found, apiKey, begins });
  } catch (error) {
    run.close();
    throw hasBegun ? afterSending(explainStateError(error, run.directory)) : error;
  }
}

interface CarryOutOptions {
  readonly found: RunToSend;
  readonly apiKey: string;
  /** Called when a request leaves: from then on emails may have gone out. */
  readonly begins: () => void;
}

async function carryOutOpen(
  run: OpenRun,
  { context, flags, wait, isWhole }: Sending,
  { found: { sending, known, directory }, apiKey, begins }: CarryOutOptions,
): Promise<Result> {
  const { journal } = run;
  const header = readHeader(journal);
  if (header === undefined) throw new JournalError(run.directory, 'does not say what it is about');
  checkSameAccount(journal, header, { apiKey, sameAccount: flags.sameAccount === true });
  if (wait !== undefined) refuseToFollow(header.emails);
  const sayingHowFar = async (work: Promise<void>): Promise<void> =>
    await work.catch((error: unknown) => {
      const explained = explainStateError(error, run.directory);
      const progress = { counts: journal.counts(), header, sending, directory, isWhole };
      throw withProgress(explained, progress, context);
    });
  const clocks = createClocks(await context.clock(), context.system);
  const turn = createRate(flags.rate, context.system);
  if (isSendable(journal.counts(), flags)) await sayingHowFar(askTime(context, clocks, turn));
  const isLeft = await settleRest({ context, flags, journal, header, known, now: clocks.latest() });
  if (isLeft) {
    const account = accountFingerprint(header.run, apiKey);
    writeHeader(journal, { ...header, account, line: await lineToRecord(context, flags) });
    const progress = await createSendingProgress(context, journal.counts(), header.emails);
    await sayingHowFar(sendRest({ context, flags, run, header, clocks, turn, begins, progress }));
  }
  const { results } = flags;
  if (results !== undefined) {
    const waiting = () => context.report(`Waiting for a reader of ${visible(results)}`);
    const options = { run: directory, csvSafe: context.flags.csvSafe === true, waiting };
    await sayingHowFar(writeResults(rowResults(journal), results, context.system, options));
  }
  await letGoOfBodies(run);
  if (wait !== undefined) return await followRun(context, run, header, { wait, directory });
  if (!isLeft) {
    const [more] = againFlag(sending + 1);
    context.notes.say(
      `This run is complete; nothing was sent now. To send it all once more: email batch with ${more}`,
    );
  }
  return showOutcome(context, run, header, directory);
}

/** Whether something is left of a run, or is to be sent once more. */
function isSendable(counts: Counts, { resendUnknown }: SendingFlags): boolean {
  return !isComplete(counts) || (resendUnknown === true && counts.unknown > 0);
}

interface RestOptions {
  readonly context: Context;
  readonly flags: SendingFlags;
  readonly journal: Journal;
  readonly header: RunHeader;
  readonly known: boolean;
  readonly now: Moment;
}

/**
 * Finds out what is left of a run, and asks before one that is `known` is resumed: nothing is decided
 * before the answer. False when nothing is left.
 */
async function settleRest(options: RestOptions): Promise<boolean> {
  const { context, flags, journal, header, known, now } = options;
  const givenUp = giveUpForgotten(journal, now);
  if (givenUp.emails > 0) context.notes.warn(...whyUnknown(givenUp));
  const counts = journal.counts();
  if (!isSendable(counts, flags)) return false;
  const resend = flags.resendUnknown === true && counts.unknown > 0;
  if (known) await context.prompts.confirm(questionAboutRest(counts, header, resend));
  if (resend) journal.resendUnknown();
  // A run that broke off may have had no time to see that a refusal was about something else.
  if (known && !isComplete(counts)) journal.reopenRefused();
  return true;
}
