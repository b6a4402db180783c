import type { Context } from '../../command/context.ts';
import { emailWait } from '../../email/wait-flags.ts';
import type { Result } from '../../output/result.ts';
import { visible } from '../../text/visible.ts';
import type { BulkFlags } from '../flags.ts';
import { createClocks } from '../journal/clocks.ts';
import type { Counts } from '../journal/counts.ts';
import type { FoundRun } from '../journal/find-run.ts';
import { readHeader } from '../journal/header.ts';
import { JournalError } from '../journal/journal-error.ts';
import type { OpenRun, RunStore } from '../journal/run-store.ts';
import { checkSameAccount } from '../journal/same-account.ts';
import { explainStateError } from '../journal/state-error.ts';
import { followRun, refuseToFollow } from '../show/follow-run.ts';
import { writeResults } from '../show/results-file.ts';
import { afterSending, againFlag, withProgress } from '../show/resume-hint.ts';
import { rowResults } from '../show/row-results.ts';
import { showOutcome } from '../show/show-results.ts';
import { letGoOfBodies } from './accepted-emails.ts';
import { askTime } from './ask-time.ts';
import { createRate } from './rate.ts';
import { isSendable, sendRest, settleRest } from './send-rest.ts';

export interface CarryOutOptions {
  readonly context: Context;
  readonly flags: BulkFlags;
  readonly store: RunStore;
  readonly found: FoundRun;
  readonly apiKey: string;
}

/** Sends what is left of a run, and shows what became of every row. */
export async function carryOut(options: CarryOutOptions): Promise<Result> {
  const { store, found, flags } = options;
  const isDone = (counts: Counts) => !isSendable(counts, flags);
  const run = store.open(found.directory, { check: found.known, isDone });
  let hasBegun = false;
  try {
    return await carryOutOpen(run, options, () => {
      hasBegun = true;
    });
  } catch (error) {
    run.close();
    throw hasBegun ? afterSending(explainStateError(error, run.directory)) : error;
  }
}

async function carryOutOpen(
  run: OpenRun,
  { context, flags, found, apiKey }: CarryOutOptions,
  begins: () => void,
): Promise<Result> {
  const { journal } = run;
  const { sending, known, directory } = found;
  const header = readHeader(journal);
  if (header === undefined) throw new JournalError(run.directory, 'does not say what it is about');
  checkSameAccount(journal, header, { apiKey, sameAccount: flags.sameAccount === true });
  const wait = await emailWait(flags);
  if (wait !== undefined) refuseToFollow(header.emails);
  const sayingHowFar = async (work: Promise<void>): Promise<void> =>
    await work.catch((error: unknown) => {
      const explained = explainStateError(error, run.directory);
      throw withProgress(explained, { counts: journal.counts(), header, sending }, context);
    });
  const clocks = createClocks(await context.clock(), context.system);
  const turn = createRate(flags.rate, context.system);
  if (isSendable(journal.counts(), flags)) await sayingHowFar(askTime(context, clocks, turn));
  const rest = { context, flags, run, header, clocks, turn };
  const isLeft = await settleRest(rest, known);
  if (isLeft) await sayingHowFar(sendRest(rest, begins));
  const { results } = flags;
  if (results !== undefined) {
    const rows = rowResults(journal);
    const csvSafe = context.flags.csvSafe === true;
    const waiting = () => context.report(`Waiting for a reader of ${visible(results)}`);
    const about = { run: directory, csvSafe, waiting };
    await sayingHowFar(writeResults(rows, results, context.system, about));
  }
  await letGoOfBodies(run);
  if (wait !== undefined) return await followRun(context, run, header, { wait, sending });
  if (!isLeft) {
    const [more] = againFlag(sending + 1);
    context.notes.say(
      `This run is complete; nothing was sent now. To send it all once more: ${more}`,
    );
  }
  return showOutcome(context, run, header, sending);
}
