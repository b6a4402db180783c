import { join } from 'node:path';
import type { Context } from '../context.ts';
import { type EmailWait, emailWait } from '../email/wait-flags.ts';
import { MailerError, PartialError, UsageError } from '../errors.ts';
import { done, type Result } from '../output/result.ts';
import { sameCommand } from '../repeat-command.ts';
import { acceptedEmails, letGoOfBodies } from './accepted.ts';
import { type BodyReader, openBodies } from './bodies.ts';
import type { FoundRun } from './find-run.ts';
import type { BulkFlags } from './flags.ts';
import { refuseToFollow } from './follow.ts';
import type { Counts } from './journal.ts';
import { JournalError } from './journal-error.ts';
import { giveUpForgotten } from './key-lifetime.ts';
import { createRate } from './rate.ts';
import { createReport } from './report.ts';
import { requestBatch } from './request-batch.ts';
import { type RowResult, rowResults } from './results.ts';
import { partKey } from './run-identity.ts';
import { isComplete, type RunMeta, readMeta } from './run-meta.ts';
import { type OpenRun, type RunStore, runFiles } from './run-store.ts';
import { sendParts } from './send-parts.ts';
import { showResults } from './show-results.ts';
import { explainStateError } from './state-error.ts';
import { count, outcome, questionAboutRest, some } from './summary.ts';
import { writeResults } from './write-results.ts';

const defaultConcurrency = 8;
/** Rows that a person reads on a terminal; of more, those with a problem. */
const mostOnTerminal = 20;

/** Sends what is left of a run, and shows what became of every row. */
export async function carryOut(
  context: Context,
  flags: BulkFlags,
  store: RunStore,
  found: FoundRun,
): Promise<Result> {
  const run = store.open(found.directory, { check: found.known });
  try {
    const meta = readMeta(run.journal);
    if (meta === undefined) throw new JournalError(run.directory, 'does not say what it is about');
    const wait = await emailWait(flags);
    if (wait !== undefined) refuseToFollow(meta.emails);
    const sent = await sendRest(context, flags, run, meta, found.known);
    if (flags.results !== undefined) {
      await writeResults(rowResults(run.journal), flags.results, context.system, found.directory);
    }
    await letGoOfBodies(run);
    if (wait !== undefined) return await follow(context, run, meta, wait);
    return await show(context, run, meta, sent);
  } catch (error) {
    run.close();
    throw error;
  }
}

/** Sends what is left; false when nothing was. */
async function sendRest(
  context: Context,
  flags: BulkFlags,
  run: OpenRun,
  meta: RunMeta,
  known: boolean,
): Promise<boolean> {
  const { journal } = run;
  const { system, notes, progress, prompts } = context;
  const expired = giveUpForgotten(journal, system.now());
  if (expired > 0) {
    notes.warn(
      `Of ${some(expired, 'email')} nobody knows whether they were sent: there was no answer, and the service has forgotten the request by now.`,
    );
  }
  if (flags.resendUnknown === true) journal.resendUnknown();
  const before = journal.counts();
  if (isComplete(before)) return false;
  if (known) await prompts.confirm(questionAboutRest(before, meta));
  const report = createReport(context, before, meta);
  const bodies = openRunBodies(run);
  try {
    const sending = () =>
      sendParts({
        journal,
        bodies,
        send: requestBatch(context, createRate(flags.rate, system)),
        keyOf: (part) => partKey(meta, part),
        concurrency: flags.concurrency ?? defaultConcurrency,
        keepGoing: flags.keepGoing === true,
        redacted: context.redacted,
        now: system.now,
        signal: system.signal,
        report: report.decided,
      });
    await progress.during('', sending, report.view);
    return true;
  } catch (error) {
    throw withProgress(explainStateError(error, run.directory), journal.counts(), meta, context);
  } finally {
    bodies.close();
  }
}

/** Says how far the run is, and that the same line goes on with it. */
function withProgress(
  thrown: unknown,
  counts: Counts,
  { emails }: RunMeta,
  context: Context,
): unknown {
  // What a damaged journal says is no progress.
  if (!(thrown instanceof MailerError) || thrown instanceof JournalError) return thrown;
  const { idempotencyKey, ...details } = thrown.details;
  // Which emails have no answer is in the journal; they go out under the same keys again.
  thrown.outcomeUnknown = false;
  // That of a request whose outcome is open says how to repeat it by hand.
  const keepsHint =
    idempotencyKey === undefined && (details.status !== undefined || thrown instanceof UsageError);
  const own = keepsHint && details.hint !== undefined ? [details.hint] : [];
  const { line, readsStdin } = sameCommand(context);
  const hint = [
    ...own,
    `${count(counts.accepted)} of ${some(emails, 'email')} are accepted so far. The same command goes on from there; nothing goes out twice${readsStdin ? ', with the same standard input' : ''}:\n${line}`,
  ].join(' ');
  thrown.details = { ...details, hint };
  return thrown;
}

/** Follows the accepted emails, when all has been sent that can be. */
async function follow(
  context: Context,
  run: OpenRun,
  meta: RunMeta,
  wait: EmailWait,
): Promise<Result> {
  const counts = run.journal.counts();
  const emails = await acceptedEmails(run);
  run.close();
  const failure = failureFrom(counts, meta);
  if (emails.length === 0) {
    return done({ reply: { data: [] }, ids: [], message: outcome(counts, meta), failure });
  }
  const { waitForAll } = await import('../email/wait-all.ts');
  const followed = await waitForAll(context, emails, wait, failure?.message);
  return { ...followed, done: emails.map(({ id }) => id) };
}

async function show(context: Context, run: OpenRun, meta: RunMeta, sent: boolean): Promise<Result> {
  const { system, notes } = context;
  const counts = run.journal.counts();
  const format = context.format();
  const forPerson = format === 'table' && system.stdout.isTTY === true;
  const wanted = (row: RowResult) => {
    if (format === 'quiet') return row.emailId !== undefined;
    return !forPerson || meta.rows <= mostOnTerminal || row.error !== undefined;
  };
  if (!sent) {
    notes.say('This run is complete; nothing was sent now. To send it all once more: --again');
  }
  return showResults({
    rows: closing(filtered(rowResults(run.journal), wanted), run),
    summary: { run: meta.run, rows: meta.rows, emails: meta.emails, ...withoutOpen(counts) },
    message: outcome(counts, meta),
    failure: failureFrom(counts, meta),
  });
}

/** What a run ends with of which not every row was accepted. */
function failureFrom(counts: Counts, meta: RunMeta): PartialError | undefined {
  const missing = counts.refused + counts.unknown + meta.invalid;
  if (missing === 0) return undefined;
  const hint = 'Nobody knows whether those unknown were sent. To send them again: --resend-unknown';
  return new PartialError(outcome(counts, meta), counts.unknown > 0 ? { hint } : {});
}

function openRunBodies({ directory, journal }: OpenRun): BodyReader {
  return openBodies(join(directory, runFiles.bodies), journal.bodiesLength());
}

function withoutOpen({ accepted, refused, unknown }: Counts) {
  return { accepted, rejected: refused, unknown };
}

function* filtered<Value>(
  values: Iterable<Value>,
  wanted: (value: Value) => boolean,
): Generator<Value, void> {
  for (const value of values) if (wanted(value)) yield value;
}

/** The journal is read while its rows are shown. */
function* closing<Value>(values: Iterable<Value>, run: OpenRun): Generator<Value, void> {
  try {
    yield* values;
  } finally {
    run.close();
  }
}
