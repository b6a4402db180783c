import type { Context } from '../../command/context.ts';
import type { BulkFlags } from '../flags.ts';
import { openRunBodies } from '../journal/bodies-of-run.ts';
import type { Clocks } from '../journal/clocks.ts';
import { type Counts, isComplete } from '../journal/counts.ts';
import type { RunHeader } from '../journal/header.ts';
import { partKey } from '../journal/idempotency-key.ts';
import { giveUpForgotten } from '../journal/key-lifetime.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { createSendingProgress } from '../show/progress.ts';
import { questionAboutRest, whyUnknown } from '../show/summary.ts';
import { createReadBack } from './read-back.ts';
import { requestBatch } from './request-batch.ts';
import { createRowWarnings } from './row-warnings.ts';
import { sendParts } from './send-parts.ts';

const defaultConcurrency = 8;

export interface RestOptions {
  readonly context: Context;
  readonly flags: BulkFlags;
  readonly run: OpenRun;
  readonly header: RunHeader;
  readonly clocks: Clocks;
  /** Resolves when a request may leave. */
  readonly turn: () => Promise<void>;
}

/** Whether something is left of a run, or is to be sent once more. */
export function isSendable(counts: Counts, { resendUnknown }: BulkFlags): boolean {
  return !isComplete(counts) || (resendUnknown === true && counts.unknown > 0);
}

/**
 * Finds out what is left of a run, and asks before one that is `known` goes on: nothing is decided
 * before the answer. False when nothing is left.
 */
export async function settleRest(
  { context, flags, run: { journal }, header, clocks }: RestOptions,
  known: boolean,
): Promise<boolean> {
  const { notes, prompts } = context;
  const givenUp = giveUpForgotten(journal, clocks.latest());
  if (givenUp.emails > 0) notes.warn(...whyUnknown(givenUp));
  const counts = journal.counts();
  if (!isSendable(counts, flags)) return false;
  const resend = flags.resendUnknown === true && counts.unknown > 0;
  if (known) await prompts.confirm(questionAboutRest(counts, header, resend));
  if (resend) journal.resendUnknown();
  // A run that broke off may have had no time to see that a refusal was about something else.
  if (known && !isComplete(counts)) journal.reopenRefused();
  return true;
}

/** Sends what is left. `begins` is called when a request leaves: from then on emails may have gone out. */
export async function sendRest(
  { context, flags, run, header, clocks, turn }: RestOptions,
  begins: () => void,
): Promise<void> {
  const { journal } = run;
  const { system, progress } = context;
  const report = await createSendingProgress(context, journal.counts(), header);
  const bodies = openRunBodies(run);
  const send = requestBatch(context, turn);
  const leftOut = createRowWarnings();
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
        keyOf: (part) => partKey(header, part),
        concurrency: flags.concurrency ?? defaultConcurrency,
        keepGoing: flags.keepGoing === true,
        redacted: context.redacted,
        clocks,
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
