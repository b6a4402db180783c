import { DryRun, joinDryRuns, unknownBaseUrl } from '../../service/http/dry-run.ts';
import type { Context } from './context.ts';

/** One of several requests of a command, sent with a client. */
type Call = (client: Pick<Context, 'call'>) => Promise<unknown>;

/**
 * The digest of several requests, once it is compared with the expected one; undefined if none is expected. With
 * `--dry-run`, ends the command with all of them. Throws a `PolicyError` for another digest.
 */
export async function digestOfPlan(
  context: Context,
  calls: readonly Call[],
): Promise<string | undefined> {
  const { dryRun, expect } = context.flags;
  if (dryRun !== true && expect === undefined) return undefined;
  const { baseUrl = unknownBaseUrl } = await context.account();
  const client = await context.clientFor({ baseUrl, apiKey: undefined }, { dryRun: true });
  const shown: DryRun[] = [];
  for (const call of calls) {
    await call(client).catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
      shown.push(error);
    });
  }
  const [first, ...others] = shown;
  if (first === undefined) return undefined;
  const plan = await joinDryRuns(first, others);
  if (expect !== undefined) {
    const { assertDigest } = await import('../../service/http/request-digest.ts');
    assertDigest(plan.about.digest, expect);
  }
  if (dryRun === true) throw plan;
  return plan.about.digest;
}
