import type { Context } from '../command/context.ts';
import type { EmailWait } from '../email/wait-flags.ts';
import type { Result } from '../output/result.ts';
import { visible } from '../text/visible.ts';
import type { SendingFlags } from './flags.ts';
import { createClocks, type Moment } from './journal/clocks.ts';
import { type Counts, isComplete } from './journal/counts.ts';
import type { FoundRun } from './journal/find-run.ts';
import { type RunHeader, readHeader, writeHeader } from './journal/header.ts';
import type { Journal } from './journal/journal.ts';
import { explainStateError, JournalError } from './journal/journal-error.ts';
import { giveUpForgotten } from './journal/key-lifetime.ts';
import { lineToRecord } from './journal/recorded-line.ts';
import type { OpenRun, RunStore } from './journal/run-store.ts';
import { accountFingerprint, checkSameAccount } from './journal/same-account.ts';
import { letGoOfBodies } from './send/accepted-emails.ts';
import { askTime } from './send/ask-time.ts';
import { createRate } from './send/rate.ts';
import { sendRest } from './send/send-rest.ts';
import { followRun, refuseToFollow } from './show/follow-run.ts';
import { createSendingProgress } from './show/progress.ts';
import { writeResults } from './show/results-file.ts';
import { afterSending, againFlag, withProgress } from './show/resume-hint.ts';
import { rowResults } from './show/row-results.ts';
import { showOutcome } from './show/show-results.ts';
import { questionAboutRest, whyUnknown } from './show/summary.ts';

/** How a run that is prepared is to be sent. */
interface Sending {
  readonly context: Context;
  readonly wait: EmailWait | undefined;
  readonly store: RunStore;
  readonly flags: SendingFlags;
  /** Whether the command line could begin the run, too, and not only resume it. */
  readonly isWhole: boolean;
  /** Words of the command line that are only in the journal, as `checkSameAccount` takes them. */
  readonly onlyRecorded?: readonly string[];
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
  { context, flags, wait, isWhole, onlyRecorded = [] }: Sending,
  { found: { sending, known, directory }, apiKey, begins }: CarryOutOptions,
): Promise<Result> {
  const { journal } = run;
  const header = readHeader(journal);
  if (header === undefined) throw new JournalError(run.directory, 'has no header');
  const credentials = { baseUrl: (await context.account()).service(), apiKey };
  const takeOver = async () => {
    const line = await lineToRecord(context, flags);
    const account = accountFingerprint({ run: header.run, line }, credentials);
    writeHeader(journal, { ...header, account, line });
  };
  const sameAccount = flags.sameAccount === true;
  const options = { ...credentials, sameAccount, onlyRecorded };
  if (!checkSameAccount(journal, header, options)) await takeOver();
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
    await takeOver();
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
      `This run is already complete; nothing was sent. To send the whole file again: email batch with ${more}`,
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
