import {
  policyError,
  throwIf,
  tooManyFor,
  tooManyToday,
  whyNotChanged,
} from '../../service/policy/refusal.ts';
import type { Context } from './context.ts';

/**
 * Throws a `PolicyError` where a command is to mail more recipients than the policy allows; `today` are those
 * that are not counted for a day yet. An early answer: the guard counts each request when it leaves.
 */
export async function refuseTooMany(
  { policy, dayCount }: Pick<Context, 'policy' | 'dayCount'>,
  recipients: number,
  today = recipients,
): Promise<void> {
  const { policy: rules } = await policy();
  throwIf(whyNotChanged(rules));
  const over = rules.maxRecipients.find(({ value }) => recipients > value);
  if (over !== undefined) throw policyError(tooManyFor(over, recipients));
  if (rules.maxPerDay.length === 0) return;
  const exceeded = (await dayCount()).exceeded({ units: today }, rules.maxPerDay);
  if (exceeded !== undefined) throw policyError(tooManyToday(exceeded, today));
}
