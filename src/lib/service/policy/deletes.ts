import type { Policy } from './policy.ts';
import { policyError, refusedBy } from './refusal.ts';

/** How a person is asked: see `Prompts.agree`. */
export type Agreed = (question: string) => Promise<boolean>;

/**
 * Throws a `PolicyError` unless the rules allow deleting, or a person at the terminal does; a `UsageError` on a no.
 * `what` is the question, such as "Delete 12 contacts?". What is only shown is not asked.
 */
export async function mayDelete(
  { deletes: [rule] }: Policy,
  what: string,
  agreed: Agreed | undefined,
): Promise<void> {
  if (rule === undefined) return;
  if (rule.value === 'off') throw policyError(refusedBy(rule, 'is off, so nothing is deleted'));
  if (agreed === undefined) return;
  if (await agreed(`${what} You are asked because of ${rule.rule} in ${rule.place}.`)) return;
  throw policyError(
    refusedBy(rule, 'lets only a person at a terminal delete; --yes does not count'),
  );
}
