import type { Context } from '../../command/context.ts';
import { senderFinding } from '../../command/names/sender-domain.ts';
import { templateAlone } from '../../email/send/missing-template.ts';
import { isPlainRejection, withHint } from '../../errors.ts';
import type { LoadView } from '../../terminal/progress.ts';
import type { BulkFlags } from '../flags.ts';
import { partKey } from '../journal/idempotency-key.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { createFindBegun } from './find-begun.ts';
import { createReadBack } from './read-back.ts';
import { requestBatch } from './request-batch.ts';
import { createRowWarnings } from './row-warnings.ts';
import { sendParts } from './send-parts.ts';
import type { SendingOptions } from './sending-options.ts';

const defaultConcurrency = 8;

export interface SendRestOptions extends Pick<SendingOptions, 'clocks' | 'begins'> {
  readonly context: Context;
  readonly flags: Pick<BulkFlags, 'concurrency' | 'keepGoing'>;
  readonly run: OpenRun;
  /** Resolves when a request may be sent. */
  readonly turn: () => Promise<void>;
  /** Receives numbers of decided emails, and shows how far the run is. */
  readonly progress: { decided(accepted: number, refused: number): void; readonly view: LoadView };
}

/** Sends what is left of a run. */
export async function sendRest(options: SendRestOptions): Promise<void> {
  const { context, flags, run, clocks, turn, begins, progress } = options;
  const { system } = context;
  const warnings = createRowWarnings();
  try {
    const sending = () =>
      sendParts({
        journal: run.journal,
        send: requestBatch(context, turn),
        begins,
        readBack: createReadBack(context, turn),
        findBegun: createFindBegun({ context, journal: run.journal, clocks, turn }),
        warnOf: warnings.add,
        keyOf: (part) => partKey(run.header, part),
        concurrency: flags.concurrency ?? defaultConcurrency,
        keepGoing: flags.keepGoing === true,
        redacted: context.redacted,
        clocks,
        monotonic: system.monotonic,
        signal: system.signal,
        report: progress.decided,
        explain: async (error, problem, emails) => {
          const senders = emails.map(({ from }) => from);
          const finding = isPlainRejection(problem)
            ? await senderFinding(context, senders)
            : undefined;
          const cause = templateAlone(problem, emails) ?? finding?.hint;
          return withHint(
            error,
            ({ details: { hint = [] } }) => cause && [cause, hint].flat().join('\n'),
          );
        },
      });
    await context.progress.during('', sending, progress.view);
  } finally {
    for (const lines of warnings.lines()) context.notes.warn(...lines);
  }
}
