import type { Context } from '../../command/context.ts';
import { PolicyError, UsageError } from '../../errors.ts';
import { policyError, tooManyFor, tooManyToday } from '../../policy/refusal.ts';
import { grouped, quantity } from '../../text/quantity.ts';
import { type InvalidFlags, mayLeaveOut, waysOut } from '../input/max-invalid.ts';
import type { Prepared } from './prepare.ts';

/**
 * Throws an error that names the first invalid rows, unless they are skipped: a `PolicyError` if a policy
 * refuses one, otherwise a `UsageError`.
 */
export function refuseInvalid(prepared: Prepared, flags: InvalidFlags): void {
  const { invalid, rows, problems, refusal } = prepared;
  if (mayLeaveOut(flags, prepared)) return;
  const message = [
    `${quantity(invalid, 'row')} of ${grouped(rows)} cannot be sent:`,
    ...problems,
  ].join('\n');
  const hint = [
    'Nothing was sent.',
    ...(problems.some((one) => one.endsWith(' from: is missing'))
      ? ['Give the sender with --from, or in a column "from".']
      : []),
    ...waysOut(flags, prepared, 'send'),
  ].join(' ');
  throw refusal === undefined
    ? new UsageError(message, { hint })
    : new PolicyError(message, { hint, refusal });
}

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
  const over = rules.maxRecipients.find(({ value }) => recipients > value);
  if (over !== undefined) throw policyError(tooManyFor(over, recipients));
  if (rules.maxPerDay.length === 0) return;
  const exceeded = (await dayCount()).exceeded({ units: today }, rules.maxPerDay);
  if (exceeded !== undefined) throw policyError(tooManyToday(exceeded, today));
}
