import { resolve } from 'node:path';
import { checkIdempotencyKey } from '../check.ts';
import type { Context } from '../context.ts';
import { emailWait } from '../email/wait-flags.ts';
import { UsageError } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { carryOut } from './carry-out.ts';
import { type CommonRequest, readCommon } from './common.ts';
import { showFirstRequest } from './dry-run.ts';
import { type FoundRun, findRun } from './find-run.ts';
import type { BulkFlags } from './flags.ts';
import { refuseToFollow } from './follow.ts';
import { type Fingerprint, fingerprintOf, isFile, openInput } from './input/open-input.ts';
import { readRows } from './input/read-rows.ts';
import { openJournal } from './journal.ts';
import { type Prepared, prepare } from './prepare.ts';
import { createCheckReport } from './report.ts';
import { runName } from './run-identity.ts';
import { writeMeta } from './run-meta.ts';
import type { NewRun, RunStore } from './run-store.ts';
import { runsOf } from './runs-of.ts';
import { parseShard, type Shard, whole } from './shard.ts';
import { explainStateError } from './state-error.ts';
import { questionAbout, refuseInvalid, warnings } from './summary.ts';

/** What a command line asks for, read but not looked at against the input. */
interface Asked {
  readonly context: Context;
  readonly flags: BulkFlags;
  readonly path: string;
  /** Absolute path of a file, or `-` for what can be read only once. */
  readonly input: string;
  readonly shard: Shard;
  readonly request: CommonRequest;
  readonly baseUrl: string;
  readonly store: RunStore;
}

/**
 * Sends the rows of a file, each exactly once. The first time, every row is checked and written
 * down before anything is sent; after that the same command line goes on where it stopped.
 */
export async function sendFile(context: Context, flags: BulkFlags, path: string): Promise<Result> {
  context.system.saveMemory();
  const store = runsOf(context);
  try {
    return await send(context, flags, path, store);
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

async function send(
  context: Context,
  flags: BulkFlags,
  path: string,
  store: RunStore,
): Promise<Result> {
  if (flags.idempotencyKey !== undefined) checkIdempotencyKey(flags.idempotencyKey);
  // Checked before anything is read or sent.
  await emailWait(flags);
  const account = await context.account();
  const readsFile = await isFile(path, context.system);
  const asked: Asked = {
    context,
    flags,
    path,
    input: readsFile ? resolve(context.system.cwd, path) : '-',
    shard: flags.shard === undefined ? whole : parseShard(flags.shard),
    request: await readCommon(context, flags),
    // A dry run needs none.
    baseUrl: context.flags.dryRun === true ? (account.baseUrl ?? '') : account.service(),
    store,
  };
  if (readsFile && context.flags.dryRun !== true) {
    const fingerprint = await context.progress.during('Reading the file', () =>
      fingerprintOf(path, context.system),
    );
    const found = find(asked, fingerprint);
    if (found.known) return await carryOut(context, flags, asked.store, found);
  }
  return await carryOut(context, flags, asked.store, await begin(asked));
}

function find(asked: Asked, fingerprint: Fingerprint): FoundRun {
  const { store, request, baseUrl, path, input, shard, flags } = asked;
  const command = { baseUrl, shape: request.shape };
  const name = input === '-' ? 'This input' : path;
  return findRun(store, { command, fingerprint, input, name, shard, again: flags.again === true });
}

/** Prepares a run that there is no journal of yet, and asks. */
async function begin(asked: Asked): Promise<FoundRun> {
  const { context, flags, store, request, baseUrl } = asked;
  const files = store.begin(context.system.uuid());
  try {
    const { prepared, fingerprint } = await check(asked, files);
    refuseInvalid(prepared, flags.skipInvalid === true);
    if (flags.wait !== undefined) refuseToFollow(prepared.emails);
    for (const lines of warnings(prepared, flags.unique === true)) context.notes.warn(...lines);
    if (context.flags.dryRun === true) {
      const run = runName({ baseUrl, shape: request.shape }, fingerprint, 0);
      await showFirstRequest(context, files, prepared, { run, key: flags.idempotencyKey });
    }
    const found = find(asked, fingerprint);
    // Of stdin, this is known only now that it has been read.
    if (found.known) files.discard();
    else {
      await context.prompts.confirm(questionAbout(prepared, flags.shard));
      describe(asked, files, found, prepared, fingerprint);
      files.finish(found.directory);
    }
    return found;
  } catch (error) {
    files.discard();
    throw error;
  }
}

async function check(asked: Asked, files: NewRun) {
  const { context, flags, path, shard, request } = asked;
  const { system, progress } = context;
  const input = await openInput(path, system);
  const report = createCheckReport(context, input.share);
  const checking = () =>
    prepare({
      rows: readRows(input),
      common: request.common,
      unique: flags.unique === true,
      shard,
      files,
      signal: system.signal,
      report: report.checked,
    });
  const prepared = await progress.during('', checking, report.view);
  // Ctrl-C ends the program that writes into a pipe too, and what it had written is not all. Our
  // own signal is noticed a moment after the end of the input.
  if (asked.input === '-') await system.sleep(1, system.signal);
  if (prepared.rows === 0) throw new UsageError(`${input.name} holds no emails`);
  return { prepared, fingerprint: input.fingerprint() };
}

/** Writes down what the run is about, the last thing before it becomes one. */
function describe(
  { context, flags, input, baseUrl }: Asked,
  files: NewRun,
  { run }: FoundRun,
  { rows, emails, requests, invalid, duplicates }: Prepared,
  fingerprint: Fingerprint,
): void {
  const journal = openJournal(files.journal, { check: false });
  try {
    writeMeta(journal, {
      run,
      input,
      fingerprint,
      baseUrl,
      key: flags.idempotencyKey,
      shard: flags.shard,
      begunAt: context.system.now(),
      rows,
      emails,
      requests,
      invalid,
      duplicates,
    });
  } finally {
    journal.close();
  }
}
