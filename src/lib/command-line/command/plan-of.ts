import { DryRun, type Joining, joinDryRuns, unknownBaseUrl } from '../../service/http/dry-run.ts';
import type { Context } from './context.ts';

/** One of several requests of a command, sent with a client. */
export type PlannedCall = (
  client: Pick<Context, 'call' | 'callPassed' | 'send'>,
) => Promise<unknown>;

/**
 * Ends a dry run with the plan of several requests. With `--expect`, compares its digest, and lets what follows send parts of
 * it; throws a `PolicyError` for another digest.
 */
export async function checkPlan(
  context: Context,
  calls: Iterable<PlannedCall>,
  joining?: Joining,
): Promise<void> {
  const { dryRun, expect } = context.flags;
  if (dryRun !== true && expect === undefined) return;
  const plan = await planOfCalls(context, calls, joining);
  if (plan === undefined) return;
  if (dryRun === true) throw plan;
  context.markExpected(expect);
}

/** Several requests as one dry run; undefined if there are none. Throws a `PolicyError` if another digest is expected. */
export async function planOfCalls(
  context: Context,
  calls: Iterable<PlannedCall>,
  joining?: Joining,
): Promise<DryRun | undefined> {
  const { baseUrl = unknownBaseUrl } = await context.account();
  const client = await context.clientFor({ baseUrl, apiKey: undefined }, { dryRun: true });
  const plan = await joinDryRuns(shownBy(client, calls), { names: context.names, ...joining });
  const { expect } = context.flags;
  if (expect === undefined) return plan;
  if (plan === undefined) {
    context.notes.say('Nothing would change, so the digest of --expect was not compared.');
    return undefined;
  }
  const { digest, byName = digest } = plan.about;
  const { assertDigest } = await import('../../service/http/request-digest.ts');
  assertDigest(digest === expect ? digest : byName, expect);
  return plan;
}

async function* shownBy(client: Parameters<PlannedCall>[0], calls: Iterable<PlannedCall>) {
  for (const call of calls) {
    try {
      await call(client);
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
      yield error;
    }
  }
}
