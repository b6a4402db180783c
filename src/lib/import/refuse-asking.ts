import type { Journal } from '../bulk/journal/journal.ts';
import { refuseTooMany } from '../bulk/prepare/refuse-run.ts';
import type { Context } from '../command/context.ts';
import { policyError, refusedBy } from '../policy/refusal.ts';

/**
 * Throws a `PolicyError` if the rest of an import into a book with double opt-in would mail more people than
 * the policy allows, or if their emails would have to be redirected.
 */
export async function refuseAsking(
  context: Pick<Context, 'policy' | 'dayCount'>,
  journal: Pick<Journal, 'readyTogether'>,
): Promise<void> {
  // Contacts that are changed one by one get no email.
  const posted = journal.readyTogether();
  if (posted === 0) return;
  const { policy } = await context.policy();
  const [redirect] = policy.redirectTo;
  if (redirect !== undefined) {
    throw policyError(refusedBy(redirect, 'cannot redirect emails that ask for confirmation'));
  }
  await refuseTooMany(context, posted);
}
