import { type EmailStatus, emailStatuses } from '../../../api/email-status.ts';
import { parseChoice } from '../../base/input/choice.ts';

/** Statuses of emails that did not arrive. */
export const failedStatuses: readonly EmailStatus[] = [
  ...(['RENDERING_FAILURE', 'REJECTED', 'BOUNCED', 'FAILED', 'SUPPRESSED'] as const),
];

/** Statuses of emails that are still to arrive, or to fail. */
export const pendingStatuses: readonly EmailStatus[] = [
  ...(['SCHEDULED', 'QUEUED', 'SENT', 'DELIVERY_DELAYED'] as const),
];

/** The statuses that a repeated flag names, in upper or lower case, also several separated by commas. */
export function statusesGiven(flag: string, values: readonly string[] = []): EmailStatus[] {
  const parse = parseChoice(flag, emailStatuses);
  return values.flatMap((value) => value.split(',').map((word) => parse(word.trim())));
}
