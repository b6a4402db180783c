import type { Context } from '../command/context.ts';
import { refuseTooMany } from '../command/refuse-too-many.ts';
import { policyError, refusedBy } from '../policy/refusal.ts';

/**
 * Throws a `PolicyError` if an import into a book with double opt-in would mail more people than the policy
 * allows, or if their emails would have to be redirected. `posted` are the contacts of its requests; those that are
 * changed one by one get no email.
 */
export async function refuseAsking(
  context: Pick<Context, 'policy' | 'dayCount'>,
  posted: number,
): Promise<void> {
  if (posted === 0) return;
  const { policy } = await context.policy();
  const [redirect] = policy.redirectTo;
  if (redirect !== undefined) {
    throw policyError(refusedBy(redirect, 'cannot redirect emails that ask for confirmation'));
  }
  await refuseTooMany(context, posted);
}
