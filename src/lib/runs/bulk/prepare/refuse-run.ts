import { PolicyError, UsageError } from '../../../base/errors.ts';
import { compact } from '../../../base/text/compact.ts';
import { grouped, quantity } from '../../../base/text/quantity.ts';
import { type InvalidFlags, mayLeaveOut, waysOut } from '../../../people/rows/max-invalid.ts';
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
  const hint = compact(
    'Nothing was sent.',
    problems.some((one) => one.endsWith(' from: is missing')) &&
      'Give the sender with --from, or in a column "from".',
    ...waysOut(flags, prepared, 'send'),
  ).join(' ');
  throw refusal === undefined
    ? new UsageError(message, { hint })
    : new PolicyError(message, { hint, refusal });
}
