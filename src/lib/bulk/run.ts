import { resolve } from 'node:path';
import type { Context } from '../command/context.ts';
import { type EmailWait, emailWait } from '../email/wait-flags.ts';
import { UsageError } from '../errors.ts';
import { done, type Result } from '../output/result.ts';
import { carryOut } from './carry-out.ts';
import type { BulkFlags } from './flags.ts';
import { type Fingerprint, fingerprintOf, isFile, openInput } from './input/open-input.ts';
import { readRows } from './input/read-rows.ts';
import { type FoundRun, findRun, removeUnsent } from './journal/find-run.ts';
import { checkGivenKey } from './journal/idempotency-key.ts';
import { explainStateError } from './journal/journal-error.ts';
import { lineToRecord } from './journal/recorded-line.ts';
import { runName, shapeDigests } from './journal/run-name.ts';
import { type NewRun, type RunStore, runsOf } from './journal/run-store.ts';
import { accountFingerprint } from './journal/same-account.ts';
import { parseShard, type Shard, whole } from './journal/shard.ts';
import { type CommonRequest, readCommon } from './prepare/common.ts';
import type { Common } from './prepare/email-of-row.ts';
import { type Prepared, prepare } from './prepare/prepare.ts';
import { showFirstRequest } from './show/first-request.ts';
import { refuseToFollow } from './show/follow-run.ts';
import { createCheckingProgress } from './show/progress.ts';
import { tryResults } from './show/results-file.ts';
import {
  aboutReplies,
  questionAbout,
  refuseInvalid,
  sentBefore,
  warnings,
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
    throw new UsageError('--resend-unknown: --again starts a new run when this one is complete', {
      hint: 'Leave out --again, or give its number, such as --again=2',
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
    const line = await lineToRecord(context, flags);
    const { rows, emails, requests, invalid, duplicates } = prepared;
    files.finish(found, {
      run: found.run,
      sending: found.sending,
      account: accountFingerprint({ run: found.run, line }, { baseUrl, apiKey }),
      input,
      fingerprint,
      baseUrl,
      shape: shapeDigests(request.shape),
      line,
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
  const checking = async () =>
    await prepare({
      rows: await readRows(input),
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
  if (prepared.rows === 0) throw new UsageError(`${input.name} contains no emails`);
  return { prepared, fingerprint: input.fingerprint() };
}

/** Throws a `UsageError` for rows that are not to be sent, and tells what to know before a yes. */
function approve({ context, flags, wait }: Asked, prepared: Prepared): void {
  refuseInvalid(prepared, flags.skipInvalid === true);
  if (wait !== undefined) refuseToFollow(prepared.emails);
  for (const lines of warnings(prepared, flags.unique === true)) context.notes.warn(...lines);
  for (const line of aboutReplies(prepared)) context.notes.say(line);
}
