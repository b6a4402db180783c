import type { Journal } from '../bulk/journal/journal.ts';
import { type OpenRun, openRunBodies } from '../bulk/journal/run-store.ts';
import { refuseTooMany } from '../bulk/prepare/refuse-run.ts';
import type { Context } from '../command/context.ts';
import { policyError, refusedBy, whyNotTo } from '../policy/refusal.ts';
import { contactsOf } from './imported-contact.ts';

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

/** The same for a run that was stopped; also if the policy no longer allows one of its contacts. */
export async function refuseAskingRest(
  context: Pick<Context, 'policy' | 'dayCount'>,
  run: OpenRun,
): Promise<void> {
  await refuseAsking(context, run.journal);
  if (run.journal.readyTogether() === 0) return;
  const { policy } = await context.policy();
  if (policy.allowTo.length + policy.denyTo.length === 0) return;
  const bodies = openRunBodies(run);
  try {
    for (const { chunk, parts } of run.journal.outcomes()) {
      const addresses = parts
        .filter(({ state }) => state === 'ready' && !chunk.alone)
        .flatMap((part) => contactsOf({ ...part, chunk }, bodies))
        .map(({ contact }) => contact.email);
      const refusal = whyNotTo(addresses, policy);
      if (refusal !== undefined) throw policyError(refusal);
    }
  } finally {
    bodies.close();
  }
}
