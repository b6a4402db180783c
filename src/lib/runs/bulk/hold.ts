import { join } from 'node:path';
import type { SendBody } from '../../../api/email.ts';
import { sha256 } from '../../base/text/sha256.ts';
import type { Context } from '../../command-line/command/context.ts';
import { fileDigest } from '../../command-line/outbox/check-exact.ts';
import { storedResult, storePrepared } from '../../command-line/outbox/prepare.ts';
import type { Result } from '../../command-line/output/result.ts';
import type { Hold } from '../../service/http/request-guard.ts';
import type { createAudience } from '../../service/policy/audience.ts';
import { whyApproval } from '../../service/policy/refusal.ts';
import type { ShapeDigests } from './journal/run-name.ts';
import { runFiles } from './journal/run-store.ts';

type RunAudience = ReturnType<typeof createAudience>;

/** Why a run is stored in place of being sent; undefined if it is sent. */
export async function holdOf(
  { flags, policy }: Pick<Context, 'flags' | 'policy'>,
  audience: RunAudience,
): Promise<Hold | undefined> {
  const refusal = whyApproval((await policy()).policy, audience.audience());
  return refusal !== undefined || flags.forApproval === true ? { refusal } : undefined;
}

interface RunToStore {
  readonly hold: Hold;
  readonly audience: RunAudience;
  readonly first: SendBody | undefined;
  readonly shape: ShapeDigests;
  /** The digest of what it sends, and where to. */
  readonly digest: string;
  /** Its name among the runs, once it is sent. */
  readonly directory: string;
  /** Where it was prepared. */
  readonly run: string;
}

/** Moves a prepared run into the outbox. Throws an `ApprovalNeededError` where a rule asks for that. */
export async function storeRun(
  context: Context,
  { hold, audience, first, shape, digest, directory, run }: RunToStore,
): Promise<Result> {
  const stored = await storePrepared(context, {
    ...{ digest, hold, run, request: null },
    journal: { directory, digest: fileDigest(join(run, runFiles.journal)) },
    described: {
      ...audience.shown(),
      from: first?.from ?? null,
      subject: first?.subject ?? null,
      scheduledAt: first?.scheduledAt ?? null,
      ...{ campaign: null, campaignDigest: null, content: sha256(JSON.stringify(shape)) },
    },
  });
  return storedResult(context, stored, hold);
}
