import { createHash } from 'node:crypto';
import type { SendBody } from '../../../api/email.ts';
import { operations } from '../../../api/operations.ts';
import type { ReputationStatus } from '../../../api/reputation.ts';
import { ConflictError, PolicyError, UsageError } from '../../base/errors.ts';
import { explainStateError } from '../../base/files/state-errors.ts';
import { createInputFiles } from '../../base/input/input-files.ts';
import { quantity } from '../../base/text/quantity.ts';
import { accountInUse } from '../../command-line/command/account-in-use.ts';
import {
  accountStateNotes,
  fetchAccountState,
  isBlocked,
} from '../../command-line/command/account-state.ts';
import { afterSending, notWritten } from '../../command-line/command/after-sending.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nothingToDo } from '../../command-line/command/flags/allow-empty.ts';
import {
  type ExpectedCount,
  expectedInWords,
  isExpected,
} from '../../command-line/command/flags/expected-count.ts';
import { refuseTooMany } from '../../command-line/command/refuse-too-many.ts';
import type { Result } from '../../command-line/output/result.ts';
import type { Outgoing } from '../../mail/check/before-sending.ts';
import { type EmailWait, emailWait } from '../../mail/email/wait/wait-flags.ts';
import { consentInWords } from '../../people/consent/consent.ts';
import { readEmailRows } from '../../people/rows/email-rows.ts';
import {
  type Fingerprint,
  fingerprintOf,
  inputPath,
  openInput,
} from '../../people/rows/open-input.ts';
import { createCheckingProgress, createSendingProgress } from '../../people/rows/progress.ts';
import { tryResults } from '../../people/rows/results-file.ts';
import { checkIdempotencyKey } from '../../service/http/check-request.ts';
import { createClocks } from '../../service/http/clocks.ts';
import { unknownBaseUrl } from '../../service/http/dry-run.ts';
import { assertDigest } from '../../service/http/request-digest.ts';
import { createAudience } from '../../service/policy/audience.ts';
import { allRecipients } from '../../service/policy/redirect.ts';
import { type BulkFlags, longestGivenKey, type SendingFlags } from './flags.ts';
import { holdOf, storeRun } from './hold.ts';
import type { Claim } from './journal/account-number.ts';
import { type Counts, isComplete, isUnsent } from './journal/counts.ts';
import { type FoundRun, findRun, refuseSentAlready, removeUnsent } from './journal/find-run.ts';
import { giveUpForgotten } from './journal/forgotten.ts';
import { knownAs } from './journal/known-account.ts';
import type { MailedSketch } from './journal/mailed-sketch.ts';
import { aboutRuns, shortRunName } from './journal/named-run.ts';
import { contentToRecord, lineToRecord, type RecordedContent } from './journal/recorded-line.ts';
import { dryBaseUrl, type RecordedRun, resumingWith } from './journal/recorded-run.ts';
import { type RunHeader, writeHeader } from './journal/run-header.ts';
import {
  otherParts,
  type RetryLink,
  type RunShape,
  retryName,
  runName,
  shapeDigests,
} from './journal/run-name.ts';
import { type NewRun, type OpenRun, type RunStore, runsOf } from './journal/run-store.ts';
import { checkSameAccount, type Resuming, sealed } from './journal/same-account.ts';
import { parseShard, whole } from './journal/shard.ts';
import { type ChosenRows, onlyChosen } from './prepare/chosen-rows.ts';
import { readCommon } from './prepare/common.ts';
import { refuseContradicted } from './prepare/contradictions.ts';
import type { Common } from './prepare/email-of-row.ts';
import { type Prepared, prepare } from './prepare/prepare.ts';
import { refuseInvalid } from './prepare/refuse-run.ts';
import { createRowColumns } from './prepare/row-columns.ts';
import { takenBy } from './prepare/template-names.ts';
import { deleteAcceptedBodies } from './send/accepted-emails.ts';
import { fetchServiceTime } from './send/fetch-service-time.ts';
import { createRate } from './send/rate.ts';
import { type Reopened, refuseByPolicy, refuseOtherRedirect } from './send/refuse-rest.ts';
import { sendRest } from './send/send-rest.ts';
import { showFirstRequest } from './show/first-request.ts';
import { followRun, refuseToFollow } from './show/follow-run.ts';
import { alreadyComplete, withProgress } from './show/resume-hint.ts';
import { rowResults } from './show/row-results.ts';
import { failureOfRun, showOutcome } from './show/show-results.ts';
import {
  heldInWords,
  othersInWords,
  outcomeInWords,
  questionAbout,
  questionAboutRest,
  replyNotes,
  skippedInWords,
  warnings,
  whyUnknown,
} from './show/summary.ts';
import { filesOfEmails, writeResults } from './show/write-results.ts';

/**
 * Sends the rows of a file, each exactly once. The first time, every row is checked and written
 * down before anything is sent; after that the same command line resumes where it stopped.
 *
 * With `again`, sends rows of an earlier run again, with the flags and templates of that run, as a run of its own. Throws
 * a `UsageError` if these have changed.
 */
export async function sendFile(
  context: Context,
  flags: BulkFlags,
  path: string,
  again?: { readonly retry: Retry; readonly resuming: Resuming },
): Promise<Result> {
  const store = runsOf(context);
  try {
    const requested = await readRequestedRun(context, flags, path, store, again?.retry);
    if (again !== undefined) refuseOtherShape(again.retry, requested.request.shape);
    if (context.flags.dryRun === true) return await showOnly(requested);
    // Read early: a missing key should fail before a million rows are checked.
    const claim: Resuming = again?.resuming ?? {
      account: await accountInUse(context),
      sameAccount: flags.sameAccount === true,
    };
    const known = await findKnown(requested, claim);
    if (known !== undefined && flags.check === true) {
      context.notes.warn('The run has already started, so --check has no effect.');
    }
    const found = known ?? (await begin(requested, claim));
    return 'kind' in found ? found : await carryOut(requested, found, claim);
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

/** Rows of an earlier run that a new one sends again. */
export interface Retry {
  readonly link: RetryLink;
  readonly rows: ChosenRows;
  readonly content: RecordedContent;
  /** The header of the run that is retried. */
  readonly header: RunHeader;
}

/** Throws a `UsageError` if a retry would send other emails than the run that it retries. */
function refuseOtherShape({ header }: Retry, shape: RunShape): void {
  // Whether invalid rows are left out, or sent as they are written, changes no other email.
  const changed = otherParts(header.shape, shapeDigests(shape)).filter(
    (part) => part !== 'skipInvalid' && part !== 'literal',
  );
  if (changed.length === 0) return;
  throw new UsageError(`Changed since that run, by a setting or a file: ${changed.join(', ')}.`, {
    hint: 'Nothing was sent. A retry sends the same emails, so undo the change. To send others: email batch, with a file of these rows',
  });
}

type RequestedRun = Awaited<ReturnType<typeof readRequestedRun>>;

/** Reads what a command line asks for, without comparing it with its input. */
async function readRequestedRun(
  context: Context,
  flags: BulkFlags,
  path: string,
  store: RunStore,
  retry: Retry | undefined,
) {
  if (flags.idempotencyKey !== undefined)
    checkIdempotencyKey(flags.idempotencyKey, longestGivenKey);
  const wait = emailWait(flags);
  if (flags.again === true && flags.resendUnknown === true) {
    throw new UsageError('--resend-unknown: --again starts a new run when this one is complete', {
      hint: 'Leave out --again, or give its number, such as --again=2',
    });
  }
  const account = await context.account();
  const input = await inputPath(path, context.system);
  tryResults(flags.results, filesOfEmails(flags, path), context.system);
  return {
    context,
    flags,
    expect: flags.expect,
    expectRows: flags.expectRows,
    path,
    input,
    shard: flags.shard === undefined ? whole : parseShard(flags.shard),
    wait,
    request: await readCommon(retry ? contextIn(context, retry.content.directory) : context, flags),
    // A dry run works without a base URL.
    baseUrl:
      context.flags.dryRun === true ? (account.baseUrl ?? unknownBaseUrl) : account.service(),
    ...{ store, retry },
  };
}

/** A context in which relative paths start in another directory. */
function contextIn(context: Context, cwd: string): Context {
  const system = { ...context.system, cwd };
  return {
    ...context,
    system,
    files: createInputFiles(system, context.report, context.files.encoding),
  };
}

/** The run of a file, if it has a journal. For stdin, this is known only once it has been read. */
async function findKnown(requested: RequestedRun, claim: Claim): Promise<FoundRun | undefined> {
  if (requested.input === '-' || requested.retry !== undefined) return undefined;
  const { system, progress } = requested.context;
  const fingerprint = await progress.during('Reading the file', () =>
    fingerprintOf(requested.path, system),
  );
  const found = find(requested, fingerprint, claim);
  return found.known ? found : undefined;
}

function find(
  requested: RequestedRun,
  fingerprint: Fingerprint,
  claim: Claim | undefined,
  mailed?: MailedSketch,
): FoundRun {
  const { context, store, input, shard, flags, retry } = requested;
  if (retry !== undefined) {
    const run = retryName(retry.link);
    return { run, first: run, sending: 1, directory: run, known: false };
  }
  const { shape } = requested.request;
  const name = inputName(requested);
  const { again } = flags;
  const about = { context, shape, fingerprint, claim, mailed };
  return findRun(store, { ...about, input, name, shard, again });
}

function inputName({ input, path }: Pick<RequestedRun, 'input' | 'path'>): string {
  return input === '-' ? 'This input' : path;
}

/**
 * Prepares a run that has no journal yet, and asks for confirmation. One that needs approval is stored in the outbox, and
 * the result says so.
 */
async function begin(requested: RequestedRun, claim: Claim): Promise<FoundRun | Result> {
  const { context, flags, store, input, request, shard } = requested;
  const { account } = claim;
  const { baseUrl } = account;
  const files = store.begin(context.system.uuid());
  try {
    let tooLate: unknown;
    const common = await request.common(flags.allowPast === true).catch((error: unknown) => {
      if (input !== '-' || !(error instanceof UsageError)) throw error;
      // Only a new run must not be too late, and for stdin it is not known yet whether this is one.
      tooLate = error;
      return request.common(true);
    });
    const audience = createAudience();
    const checked = check(requested, files, common, audience).finally(() => common.body?.end());
    const { prepared, fingerprint, first } = await checked;
    const found = find(requested, fingerprint, claim, prepared.mailed);
    if (found.known) {
      files.discard();
      return found;
    }
    if (tooLate !== undefined) throw tooLate;
    await approve(requested, prepared);
    // A key of one's own says which sending this is.
    if (keyOf(requested) === undefined && found.alike !== undefined && found.alike.length > 0) {
      const about = { context, name: inputName(requested), fingerprint, mailed: prepared.mailed };
      refuseSentAlready(found, about, (await context.serviceClock('ask'))());
    }
    const { retry } = requested;
    const digest = digestOfRun(baseUrl, {
      ...prepared,
      sending: found.sending,
      retry: retry?.link,
    });
    if (flags.expect !== undefined) {
      assertDigest(digest, flags.expect);
      refuseSentAs(requested, digest);
    }
    for (const lines of othersInWords(requested.path, found, account, context)) {
      context.notes.warn(...lines);
    }
    const redirect = request.policy.redirectTo[0]?.value;
    const hold = prepared.rows > 0 ? await holdOf(context, audience) : undefined;
    if (hold !== undefined && flags.shard !== undefined) {
      throw new UsageError('--shard: a part of a run cannot be stored for approval.', {
        hint: 'Nothing was stored or sent. Leave out --shard.',
      });
    }
    if (prepared.rows > 0 && hold === undefined) {
      const accountState = context.prompts.asks ? await fetchAccountState(context) : undefined;
      const question = questionAbout(prepared, { shard: flags.shard, redirect });
      const about = [...accountStateNotes(accountState, held), question].join(' ');
      const above = context.prompts.asks ? await firstAbove(context, first) : [];
      await context.prompts.confirm(about, undefined, above);
    }
    // One that waits for approval replaces them when it is sent.
    if (hold === undefined) for (const name of found.unsent ?? []) removeUnsent(store, name);
    const content = retry?.content ?? contentToRecord(context, flags);
    const line = { ...(await lineToRecord(context, flags)), content };
    const { rows, emails, invalid } = prepared;
    const header = {
      run: found.run,
      sending: found.sending,
      account: knownAs(found.run, account),
      input,
      fingerprint,
      baseUrl,
      redirect,
      digest: prepared.digest,
      mailed: prepared.mailed,
      shape: shapeDigests(request.shape),
      line,
      key: keyOf(requested),
      shard: flags.shard,
      begunAt: context.system.now(),
      rows,
      emails,
      // Every shard reads all rows; only the first one reports problems.
      invalid: shard.index === 1 ? invalid : 0,
      // What a policy forbids is no slip of a file.
      toleratesInvalid: flags.maxInvalid !== undefined && prepared.refusal === undefined,
      retry: retry?.link,
    };
    if (hold !== undefined) {
      files.complete(found, sealed(header, account));
      const result = await storeRun(context, {
        ...{ hold, audience, first: first?.fields, shape: header.shape },
        ...{ directory: found.directory, run: files.directory },
        digest,
      });
      files.discard();
      return result;
    }
    files.finish(found, sealed(header, account));
    return found;
  } catch (error) {
    files.discard();
    throw error;
  }
}

/** What happens to emails of a blocked account. */
const held = 'the service accepts these emails, but does not send them';

/** Number of rows whose emails `--check` examines: most runs have one template for all. */
const rowsLookedAt = 10;

/** Checks every row and records what is to be sent. */
async function check(
  requested: RequestedRun,
  files: Pick<NewRun, 'directory'>,
  common: Common,
  audience?: ReturnType<typeof createAudience>,
) {
  const { context, flags, path, shard, request, retry } = requested;
  const { system, progress } = context;
  const isSame = retry === undefined || (await isSameInput(requested, retry));
  const input = await openInput(path, context);
  const { checked, view } = createCheckingProgress(context, input.share);
  const columns = createRowColumns(flags, request.explicit, request.usedNames());
  const { choices } = columns;
  const names = request.names();
  const first: (Outgoing & { readonly fields: SendBody })[] = [];
  const named = request.givesRecipients ? undefined : context;
  const checking = async () => {
    const all = takenBy(names, readEmailRows(input, choices, named), common);
    return await prepare({
      rows: retry ? onlyChosen(all, retry.rows, isSame, common, columns) : all,
      columns,
      common,
      policy: request.policy,
      unique: flags.unique === true,
      shard,
      directory: files.directory,
      signal: system.signal,
      report: checked,
      prepared: (row, fields) => {
        audience?.add(allRecipients(fields));
        if (first.length < rowsLookedAt) first.push({ fields, name: `row ${row}` });
      },
    });
  };
  const prepared = await progress.during('', checking, view);
  if (prepared.rows === 0) {
    if (flags.allowEmpty !== true) {
      throw nothingToDo(`${input.name} contains no emails`, 'Nothing was sent.');
    }
    return { prepared, fingerprint: input.fingerprint(), first: undefined };
  }
  const consent = columns.end(input.name, context);
  refuseContradicted(prepared, consent, system);
  for (const line of names.end(true)) context.notes.warn(line);
  for (const column of consent) context.notes.say(`${consentInWords(column)}.`);
  if (flags.check === true) {
    const { checkBeforeSending } = await import('../../mail/check/before-sending.ts');
    const literal = flags.literal === true;
    await checkBeforeSending(context, first, { kind: 'email', literal });
  }
  return { prepared, fingerprint: input.fingerprint(), first: first[0] };
}

/** The first email of a run, to show above the question. */
async function firstAbove(
  context: Context,
  first: { readonly name?: string; readonly fields: SendBody } | undefined,
): Promise<readonly string[]> {
  if (first === undefined) return [];
  const { emailAbove } = await import('../../mail/email/send/confirm-send.ts');
  const examined = { email: first.fields, redirectedFor: [], redirect: undefined };
  return await emailAbove(examined, context, `the first one, of ${first.name}`);
}

/** Whether the input of a retry has the bytes that it had. */
async function isSameInput(
  { context, path, input }: RequestedRun,
  { rows }: Retry,
): Promise<boolean> {
  return input !== '-' && (await fingerprintOf(path, context.system)).digest === rows.digest;
}

/**
 * Throws a `UsageError` or a `PolicyError` for rows that must not be sent, and prints what to know before
 * confirming.
 */
async function approve(
  { context, flags, wait, request }: RequestedRun,
  prepared: Prepared,
): Promise<void> {
  if (prepared.rows > 0) refuseInvalid(prepared, flags);
  assertRows(flags.expectRows, prepared.emails);
  if (prepared.rows === 0) return;
  await refuseTooMany(context, prepared.recipients, prepared.recipientsOfShard);
  if (!prepared.usesTemplates) request.refuseUnused();
  if (wait !== undefined) refuseToFollow(prepared.emails);
  for (const lines of warnings(prepared, flags.unique === true)) context.notes.warn(...lines);
  if (prepared.optedOut + prepared.unanswered > 0) context.notes.say(skippedInWords(prepared));
  for (const line of replyNotes(prepared)) context.notes.say(line);
}

/** Throws a `PolicyError` unless as many rows are mailed as expected. */
function assertRows(expected: ExpectedCount | undefined, emails: number): void {
  if (expected === undefined || isExpected(expected, emails)) return;
  throw new PolicyError(
    `--expect-rows: the run would send ${quantity(emails, 'row')}, not ${expectedInWords(expected)}.`,
    { hint: 'Nothing was sent.' },
  );
}

/** Prepares a run as if to send it, and shows its first request. */
async function showOnly(requested: RequestedRun): Promise<Result> {
  const { context, flags, store, request, baseUrl, retry } = requested;
  const files = store.beginTrial(context.system.uuid());
  try {
    const common = await request.common(flags.allowPast === true);
    const checked = check(requested, files, common).finally(() => common.body?.end());
    const { prepared, fingerprint } = await checked;
    await approve(requested, prepared);
    const sending =
      flags.again === true ? find(requested, fingerprint, undefined).sending : (flags.again ?? 1);
    const digest = digestOfRun(baseUrl, { ...prepared, sending, retry: retry?.link });
    if (flags.expect !== undefined) assertDigest(digest, flags.expect);
    const run = retry ? retryName(retry.link) : runName(request.shape, fingerprint, sending);
    const named = { run, key: keyOf(requested), sending, baseUrl, digest };
    return await showFirstRequest(context, files.directory, named, prepared);
  } finally {
    files.discard();
  }
}

/** The idempotency key given by hand. A retry has keys of its own: it sends new emails. */
function keyOf({ flags, retry }: RequestedRun): string | undefined {
  return retry === undefined ? flags.idempotencyKey : undefined;
}

/**
 * The digest of a run: what is sent, and where to; from the second time on, which time it is, too, so that who approves one
 * sending has not approved others.
 */
function digestOfRun(
  baseUrl: string,
  { digest, sending, retry }: Pick<RunHeader, 'digest' | 'sending' | 'retry'>,
): string {
  const number = retry?.number ?? sending;
  const later = number === 1 ? [] : [number];
  const parts = [1, baseUrl, operations['email.batch'].path, digest, ...later];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Throws a `ConflictError` if another run has sent what a digest stands for, perhaps from a file in another form. */
function refuseSentAs({ context, store }: RequestedRun, digest: string): void {
  for (const name of store.names()) {
    const run = store.read(name);
    if (run?.header.digest === undefined || isUnsent(run.counts)) continue;
    if (digestOfRun(run.header.baseUrl, run.header) !== digest) continue;
    const short = shortRunName(name);
    throw new ConflictError(`What --expect stands for was sent already, by run ${short}.`, {
      hint: `Nothing was sent. To look at that run: ${aboutRuns(context, 'get', short)}`,
    });
  }
}

/** How a prepared run is to be sent. */
interface Sending {
  readonly context: Context;
  readonly store: RunStore;
  readonly flags: SendingFlags;
  readonly wait: EmailWait | undefined;
  /** The digest that the run must have. */
  readonly expect?: string | undefined;
  /** How many emails it must have. */
  readonly expectRows?: ExpectedCount | undefined;
}

/** Which run is to be sent. */
type RunToSend = Pick<FoundRun, 'directory' | 'sending' | 'known'>;

/** Sends what is left of a run, and shows the outcome of every row. */
async function carryOut(requested: Sending, found: RunToSend, resuming: Resuming): Promise<Result> {
  const { context, flags, wait, expect, expectRows } = requested;
  const { account, isApproved = false } = resuming;
  if (context.flags.forApproval === true) {
    throw new UsageError('--for-approval: this run was started before, so it cannot be stored.', {
      hint: 'Nothing was sent. To see how far it is, use run list. To send every email again, to everybody, add --again with the number of the new run, such as --again=2.',
    });
  }
  const isDone = (counts: Counts) => !isSendable(counts, flags);
  const run = requested.store.open(found.directory, { check: found.known, isDone });
  const { journal, header } = run;
  let hasBegun = false;
  const begins = () => {
    hasBegun = true;
  };
  try {
    const digest = header.digest && digestOfRun(account.baseUrl, header);
    if (expect !== undefined) assertDigest(digest, expect);
    assertRows(expectRows, header.emails);
    if (isSendable(journal.counts(), flags)) {
      const reopened = reopenedBy(journal.counts(), found.known, flags);
      await refuseByPolicy(context, run, { isApproved, reopened });
    }
    const counted = { name: run.name, header, counts: journal.counts() };
    const known = checkSameAccount(context, counted, resuming);
    const takeOver = async () => {
      const line = { ...(await lineToRecord(context, flags)), content: header.line.content };
      const { baseUrl } = account;
      writeHeader(journal, sealed({ ...header, baseUrl, account: known, line }, account));
    };
    if (known !== header.account) await takeOver();
    if (wait !== undefined) refuseToFollow(header.emails);
    const line = { sending: found.sending, isWhole: resuming.recorded === undefined };
    const sayingHowFar = async <Value>(work: Promise<Value>): Promise<Value> =>
      await work.catch((error: unknown) => {
        throw withProgress(explainStateError(error, run.directory), run, line, context);
      });
    const clocks = createClocks(await context.clock(), context.system);
    const turn = createRate(flags.rate, context.system);
    const accountState = isSendable(journal.counts(), flags)
      ? await sayingHowFar(fetchServiceTime(context, clocks, turn))
      : undefined;
    const givenUp = giveUpForgotten(journal, clocks.latest());
    if (givenUp.emails > 0) context.notes.warn(...whyUnknown(givenUp));
    const isLeft = isSendable(journal.counts(), flags);
    if (isLeft) {
      await askToResume(run, requested, found.known, accountState);
      await takeOver();
      const progress = createSendingProgress(context, journal.counts(), header.emails);
      const rest = { context, flags, run, digest, clocks, turn, begins, progress };
      await sayingHowFar(sendRest(rest));
    }
    const isHeld =
      isLeft &&
      isBlocked(accountState) &&
      isBlocked((await fetchAccountState(context)) ?? accountState);
    const { accepted } = journal.counts();
    if (isHeld && accepted > 0) context.notes.warn(heldInWords(accepted));
    const { results } = flags;
    if (results !== undefined) {
      await sayingHowFar(writeResults(context, run, results, rowResults(run))).catch(
        (error: unknown) => {
          const outcome = outcomeInWords(journal.counts(), header);
          const failure = failureOfRun(context, run);
          throw hasBegun ? notWritten(error, { outcome, failure, run: run.name }) : error;
        },
      );
    }
    deleteAcceptedBodies(run);
    if (wait !== undefined) return await followRun(context, run, wait, results);
    if (!isLeft && header.rows > 0) context.notes.say(alreadyComplete(found.sending));
    return showOutcome(context, run, isHeld);
  } catch (error) {
    run.close();
    throw hasBegun ? afterSending(explainStateError(error, run.directory)) : error;
  }
}

/** Whether anything of a run is left to send or to resend. */
function isSendable(counts: Counts, { resendUnknown }: SendingFlags): boolean {
  return !isComplete(counts) || (resendUnknown === true && counts.unknown > 0);
}

/** What `askToResume` makes ready again. */
function reopenedBy(counts: Counts, known: boolean, { resendUnknown }: SendingFlags): Reopened {
  return new Set([
    ...(resendUnknown === true ? ['unknown' as const] : []),
    // An interrupted run may not have noticed that a rejection was about something else.
    ...(known && !isComplete(counts) ? ['refused' as const] : []),
  ]);
}

/** Asks before a run that is `known` is resumed. Nothing changes before the answer. */
async function askToResume(
  { journal, header }: OpenRun,
  { context, flags }: Sending,
  known: boolean,
  accountState: ReputationStatus | undefined,
): Promise<void> {
  const counts = journal.counts();
  const reopened = reopenedBy(counts, known, flags);
  const resend = reopened.has('unknown') && counts.unknown > 0;
  const about = accountStateNotes(accountState, held);
  const question = questionAboutRest(counts, header, resend);
  if (known) await context.prompts.confirm([...about, question].join(' '));
  if (!context.prompts.asks) for (const line of about) context.notes.warn(line);
  if (resend) journal.resendUnknown();
  if (reopened.has('refused')) journal.reopenRefused();
}

/**
 * Resumes a run from its journal, without its input, with the flags that last sent it; flags given now win.
 * Throws like `resumingWith`.
 */
export async function resumeRun(
  context: Context,
  given: SendingFlags,
  recorded: RecordedRun,
  { expect, isApproved = false }: { readonly expect?: string; readonly isApproved?: boolean } = {},
): Promise<Result> {
  const { store, directory, header } = recorded;
  try {
    const flags = { ...header.line.sending, ...given };
    const wait = emailWait(flags);
    tryResults(flags.results, filesOfEmails(flags, header.input), context.system);
    if (context.flags.dryRun === true) {
      const baseUrl = await dryBaseUrl(context, recorded);
      refuseOtherRedirect((await context.policy()).policy, header);
      const digest = header.digest && digestOfRun(baseUrl, header);
      return await showFirstRequest(context, store.path(directory), { ...header, baseUrl, digest });
    }
    const resuming = { ...(await resumingWith(context, recorded, given)), isApproved };
    const found = { directory, sending: header.sending, known: true };
    return await carryOut({ context, store, flags, wait, expect }, found, resuming);
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}
