import type { Context } from './context.ts';

/**
 * Asks the policy before a command changes anything whose last step is to delete: the guard would refuse that step only
 * when the others are done. `question` is what a person is asked where a rule wants one, such as "Delete 12 contacts?".
 * Throws a `PolicyError`, or a `UsageError` on a no.
 */
export async function refuseDeletes(
  { policy, prompts, flags }: Pick<Context, 'policy' | 'prompts' | 'flags'>,
  question: string,
): Promise<void> {
  const [{ policy: rules }, { mayDelete }, { throwIf, whyNotChanged }] = await Promise.all([
    policy(),
    import('../../service/policy/deletes.ts'),
    import('../../service/policy/refusal.ts'),
  ]);
  throwIf(whyNotChanged(rules));
  const agreed = flags.dryRun === true ? undefined : prompts.agree;
  await mayDelete(rules, question, agreed);
}
