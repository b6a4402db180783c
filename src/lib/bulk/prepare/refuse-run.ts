import type { Context } from '../../command/context.ts';
import { PolicyError, UsageError } from '../../errors.ts';
import { policyError, tooManyFor, tooManyToday } from '../../policy/refusal.ts';
import { grouped, quantity } from '../../text/quantity.ts';
import { visible } from '../../text/visible.ts';
import type { OpenRun } from '../journal/run-store.ts';
import type { Prepared } from './prepare.ts';

/**
 * Throws an error that names the first invalid rows, unless they are skipped: a `PolicyError` if a policy
 * refuses one, otherwise a `UsageError`.
 */
export function refuseInvalid(prepared: Prepared, skip: boolean): void {
  const { invalid, rows, problems, refusal } = prepared;
  if (invalid === 0 || (skip && invalid < rows)) return;
  const message = [
    `${quantity(invalid, 'row')} of ${grouped(rows)} cannot be sent:`,
    ...problems,
  ].join('\n');
  const hint = `Nothing was sent.${invalid < rows ? ' To send the others: --skip-invalid' : ''}`;
  throw refusal === undefined
    ? new UsageError(message, { hint })
    : new PolicyError(message, { hint, refusal });
}

/**
 * Throws a `PolicyError` where a run mails more than the policy allows; `counted` of them were counted
 * for a day when their requests were begun.
 */
export async function refuseTooMany(
  { policy, dayCount }: Pick<Context, 'policy' | 'dayCount'>,
  recipients: number,
  counted = 0,
): Promise<void> {
  const { policy: rules } = await policy();
  const over = rules.maxRecipients.find(({ value }) => recipients > value);
  if (over !== undefined) throw policyError(tooManyFor(over, recipients));
  if (rules.maxPerDay.length === 0) return;
  const units = recipients - counted;
  const exceeded = (await dayCount()).exceeded({ units }, rules.maxPerDay);
  if (exceeded !== undefined) throw policyError(tooManyToday(exceeded, units));
}

/**
 * Throws a `PolicyError` if the policy became stricter since a run was prepared, as far as that can be told
 * before it is resumed: each request is checked again before it is sent.
 */
export async function refuseByPolicy(
  context: Pick<Context, 'policy' | 'dayCount'>,
  { journal, header }: Pick<OpenRun, 'journal' | 'header'>,
): Promise<void> {
  const { ready, begun } = journal.counts();
  await refuseTooMany(context, ready + begun, begun);
  const { policy } = await context.policy();
  const [rule] = policy.redirectTo;
  const redirect = rule?.value;
  if (redirect === header.redirect) return;
  const then =
    header.redirect === undefined ? 'without redirect-to' : `with redirect-to ${header.redirect}`;
  const now =
    rule === undefined ? 'is no longer set' : `is now ${rule.value} in ${visible(rule.place)}`;
  throw new PolicyError(`This run was prepared ${then}, which ${now}.`, {
    hint: 'Nothing was sent. Change the rule back, or start another run from the file. To see all rules: mailer policy show',
    refusal: { rule: 'redirect-to', place: rule?.place ?? `run ${header.run}`, addresses: [] },
  });
}
