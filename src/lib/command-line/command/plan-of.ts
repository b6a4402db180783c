import { DryRun, joinDryRuns, unknownBaseUrl } from '../../service/http/dry-run.ts';
import type { Context } from './context.ts';

/** One of several requests of a command, sent with a client. */
export type PlannedCall = (
  client: Pick<Context, 'call' | 'callPassed' | 'send'>,
) => Promise<unknown>;

/**
 * Ends a dry run with the plan of several requests. With `--expect`, compares its digest, and lets what follows send parts of
 * it; throws a `PolicyError` for another digest. With `items`, the number of things that all are about, only the first
 * request is shown.
 */
export async function checkPlan(
  context: Context,
  calls: Iterable<PlannedCall>,
  items?: number,
): Promise<void> {
  const { dryRun, expect } = context.flags;
  if (dryRun !== true && expect === undefined) return;
  const plan = await planOfCalls(context, calls, items);
  if (plan === undefined) return;
  if (expect !== undefined) {
    const { assertDigest } = await import('../../service/http/request-digest.ts');
    assertDigest(plan.about.digest, expect);
  }
  if (dryRun === true) throw plan;
  context.planned(plan.about.digest);
}

/** Several requests as one dry run; undefined if there are none. */
export async function planOfCalls(
  context: Context,
  calls: Iterable<PlannedCall>,
  items?: number,
): Promise<DryRun | undefined> {
  const { baseUrl = unknownBaseUrl } = await context.account();
  const client = await context.clientFor({ baseUrl, apiKey: undefined }, { dryRun: true });
  return await joinDryRuns(shownBy(client, calls), items);
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
