import type { SendBody } from '../../../../api/email.ts';
import { isPlainRejection, type Problem, withHint } from '../../../base/errors.ts';
import type { LoadView } from '../../../base/terminal/progress.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { senderFinding } from '../../../command-line/command/names/sender-domain.ts';
import { templateAlone } from '../../../mail/email/send/missing-template.ts';
import type { Clocks } from '../../../service/http/clocks.ts';
import type { BulkFlags } from '../flags.ts';
import { partKey } from '../journal/idempotency-key.ts';
import type { Part } from '../journal/run-parts.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { createFindBegun } from './find-begun.ts';
import { createReadBack } from './read-back.ts';
import { requestBatch } from './request-batch.ts';
import type { RowWarnings } from './row-warnings.ts';

const defaultConcurrency = 8;

/** What is left of a run, and how to send it. */
export interface SendRestOptions {
  readonly context: Context;
  readonly flags: Pick<BulkFlags, 'concurrency' | 'keepGoing'>;
  readonly run: OpenRun;
  /** Of the whole run. */
  readonly digest: string | undefined;
  readonly clocks: Clocks;
  /** Resolves when a request may be sent. */
  readonly turn: () => Promise<void>;
  /** Called after a request that may have arrived: from then on, emails may be on their way. */
  readonly begins: () => void;
  /** Receives numbers of decided emails, and shows how far the run is. */
  readonly progress: { decided(accepted: number, refused: number): void; readonly view: LoadView };
}

export type SendingOptions = ReturnType<typeof sendingOptions>;

/** What sending the parts of a run needs; `warnOf` receives rows to warn about at the end. */
export function sendingOptions(
  { context, flags, run, digest, clocks, turn, begins, progress }: SendRestOptions,
  warnOf: RowWarnings['add'],
) {
  const { journal, header } = run;
  const { redacted, system } = context;
  return {
    ...{ journal, clocks, begins, warnOf, redacted },
    ...{ monotonic: system.monotonic, signal: system.signal, report: progress.decided },
    send: requestBatch(context, turn, digest),
    readBack: createReadBack(context, turn),
    findBegun: createFindBegun({ context, journal, clocks, turn }),
    keyOf: (part: Part) => partKey(header, part),
    /** Requests at the same time. */
    concurrency: flags.concurrency ?? defaultConcurrency,
    /** Whether a rejection is always about the emails. */
    keepGoing: flags.keepGoing === true,
    /** Adds to the error that stops a run what these rejected emails reveal about its cause. */
    explain: async (error: unknown, problem: Problem, emails: readonly SendBody[]) => {
      const senders = emails.map(({ from }) => from);
      const finding = isPlainRejection(problem) ? await senderFinding(context, senders) : undefined;
      const cause = templateAlone(problem, emails) ?? finding?.hint;
      return withHint(
        error,
        ({ details: { hint = [] } }) => cause && [cause, hint].flat().join('\n'),
      );
    },
  };
}
