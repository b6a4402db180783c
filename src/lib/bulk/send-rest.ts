import type { Context } from '../context.ts';
import { openRunBodies } from './bodies-of-run.ts';
import type { BulkFlags } from './flags.ts';
import { giveUpForgotten } from './key-lifetime.ts';
import { createLeftOut } from './left-out.ts';
import { createRate } from './rate.ts';
import { createReadBack } from './read-back.ts';
import { createReport } from './report.ts';
import { requestBatch } from './request-batch.ts';
import { partKey } from './run-identity.ts';
import { isComplete, type RunMeta } from './run-meta.ts';
import type { OpenRun } from './run-store.ts';
import { sendParts } from './send-parts.ts';
import { questionAboutRest, some } from './summary.ts';

const defaultConcurrency = 8;

export interface RestOptions {
  readonly context: Context;
  readonly flags: BulkFlags;
  readonly run: OpenRun;
  readonly meta: RunMeta;
  readonly tidy: () => void;
}

/**
 * Finds out what is left of a run, and asks before one that is `known` goes on: nothing is decided
 * before the answer. False when nothing is left.
 */
export async function settleRest(
  { context, flags, run: { journal }, meta }: RestOptions,
  known: boolean,
): Promise<boolean> {
  const { notes, prompts } = context;
  const now = await context.clock();
  const expired = giveUpForgotten(journal, now());
  if (expired > 0) {
    notes.warn(
      `Of ${some(expired, 'email')} nobody knows whether they were sent: there was no answer, and the service has forgotten the request by now.`,
    );
  }
  const counts = journal.counts();
  const resend = flags.resendUnknown === true && counts.unknown > 0;
  if (isComplete(counts) && !resend) return false;
  if (known) await prompts.confirm(questionAboutRest(counts, meta, resend));
  if (resend) journal.resendUnknown();
  // A run that broke off may have had no time to see that a refusal was about something else.
  if (known && !isComplete(counts)) journal.reopenRefused();
  return true;
}

/** Sends what is left. `begins` is called when a request leaves: from then on emails may have gone out. */
export async function sendRest(
  { context, flags, run, meta, tidy }: RestOptions,
  begins: () => void,
): Promise<void> {
  const { journal } = run;
  const { system, progress } = context;
  const now = await context.clock();
  const report = await createReport(context, journal.counts(), meta);
  // What checking the rows took is not to add to what sending takes.
  tidy();
  const bodies = openRunBodies(run);
  const turn = createRate(flags.rate, system);
  const send = requestBatch(context, turn);
  const leftOut = createLeftOut();
  try {
    const sending = () =>
      sendParts({
        journal,
        bodies,
        send: (json, request) => {
          const leaves = () => {
            request.leaves();
            begins();
          };
          return send(json, { ...request, leaves });
        },
        readBack: createReadBack(context, turn),
        leftOut: leftOut.add,
        keyOf: (part) => partKey(meta, part),
        concurrency: flags.concurrency ?? defaultConcurrency,
        keepGoing: flags.keepGoing === true,
        redacted: context.redacted,
        now,
        monotonic: system.monotonic,
        signal: system.signal,
        report: report.decided,
      });
    await progress.during('', sending, report.view);
  } finally {
    bodies.close();
    for (const lines of leftOut.lines()) context.notes.warn(...lines);
  }
}
