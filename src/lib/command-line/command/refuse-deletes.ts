import type { Context } from './context.ts';

type Rules = Pick<Context, 'policy'>;

/**
 * Asks the policy before a command changes anything whose last step is to delete: the guard would refuse that step only
 * when the others are done. `question` is what a person is asked where a rule wants one, such as "Delete 12 contacts?".
 * Throws a `PolicyError`, or a `UsageError` on a no.
 */
export async function refuseDeletes(
  context: Rules & Pick<Context, 'prompts' | 'flags'>,
  question: string,
): Promise<void> {
  const { rules, mayDelete } = await rulesForDeletes(context);
  const agreed = context.flags.dryRun === true ? undefined : context.prompts.agree;
  await mayDelete(rules, question, agreed);
}

/** The policy, and how to ask it. Throws a `PolicyError` if it allows only reading. */
export async function rulesForDeletes({ policy }: Rules) {
  const [{ policy: rules }, { mayDelete }, { throwIf, whyNotChanged }] = await Promise.all([
    policy(),
    import('../../service/policy/deletes.ts'),
    import('../../service/policy/refusal.ts'),
  ]);
  throwIf(whyNotChanged(rules));
  return { rules, mayDelete };
}
